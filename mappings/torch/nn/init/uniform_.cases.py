import torch
from torch.nn import init

torch.manual_seed(4)

# case: a matrix
weight = torch.empty(4, 6)
found = init.uniform_(weight)
result = [found is weight, weight]

# case: a kernel
result = init.uniform_(torch.empty(6, 2, 3))

# case: a parameter
weight = torch.nn.Parameter(torch.zeros(3, 5))
init.uniform_(weight)
result = [weight, weight.requires_grad, weight.is_leaf, weight.grad_fn is None]

# case: dtypes
result = [init.uniform_(torch.empty(5, 4, dtype=each)) for each in (torch.float64, torch.float32)]

# case: a part of a tensor
weight = torch.zeros(6, 4)
init.uniform_(weight[1:4])
result = weight

# case: a transposed tensor
result = init.uniform_(torch.empty(3, 4).t())

# case: a generator of its own
generator = torch.Generator().manual_seed(1)
result = [init.uniform_(torch.empty(2, 3), generator=generator), torch.rand(2)]

# case: limits
result = init.uniform_(torch.empty(3, 3), a=-2.0, b=5.0)

# case: a vector
result = init.uniform_(torch.empty(7))

# error: limits the wrong way round
init.uniform_(torch.empty(2), 1.0, 0.0)

# error: whole numbers
init.uniform_(torch.zeros(2, dtype=torch.int64))
