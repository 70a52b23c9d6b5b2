import torch
from torch.nn import init

torch.manual_seed(4)

# case: a matrix
weight = torch.empty(4, 6)
found = init.xavier_normal_(weight)
result = [found is weight, weight]

# case: a kernel
result = init.xavier_normal_(torch.empty(6, 2, 3))

# case: a parameter
weight = torch.nn.Parameter(torch.zeros(3, 5))
init.xavier_normal_(weight)
result = [weight, weight.requires_grad, weight.is_leaf, weight.grad_fn is None]

# case: dtypes
result = [init.xavier_normal_(torch.empty(5, 4, dtype=each)) for each in (torch.float64, torch.float32)]

# case: a part of a tensor
weight = torch.zeros(6, 4)
init.xavier_normal_(weight[1:4])
result = weight

# case: a transposed tensor
result = init.xavier_normal_(torch.empty(3, 4).t())

# case: a generator of its own
generator = torch.Generator().manual_seed(1)
result = [init.xavier_normal_(torch.empty(2, 3), generator=generator), torch.rand(2)]

# case: gain
result = init.xavier_normal_(torch.empty(3, 4), gain=0.5)

# error: one dimension
init.xavier_normal_(torch.empty(5))
