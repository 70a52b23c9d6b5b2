import torch
from torch.nn import init

torch.manual_seed(4)

# case: a matrix
weight = torch.empty(4, 6)
found = init.kaiming_uniform_(weight)
result = [found is weight, weight]

# case: a kernel
result = init.kaiming_uniform_(torch.empty(6, 2, 3))

# case: a parameter
weight = torch.nn.Parameter(torch.zeros(3, 5))
init.kaiming_uniform_(weight)
result = [weight, weight.requires_grad, weight.is_leaf, weight.grad_fn is None]

# case: dtypes
result = [init.kaiming_uniform_(torch.empty(5, 4, dtype=each)) for each in (torch.float64, torch.float32)]

# case: a part of a tensor
weight = torch.zeros(6, 4)
init.kaiming_uniform_(weight[1:4])
result = weight

# case: a transposed tensor
result = init.kaiming_uniform_(torch.empty(3, 4).t())

# case: a generator of its own
generator = torch.Generator().manual_seed(1)
result = [init.kaiming_uniform_(torch.empty(2, 3), generator=generator), torch.rand(2)]

# case: way back
result = init.kaiming_uniform_(torch.empty(3, 4), mode="fan_out")

# case: relu
result = init.kaiming_uniform_(torch.empty(3, 4), nonlinearity="relu")

# case: slope
result = init.kaiming_uniform_(torch.empty(3, 4), a=0.2)

# case: both
result = init.kaiming_uniform_(torch.empty(2, 3, 3, 3), 0.1, "fan_out", "leaky_relu")

# error: one dimension
init.kaiming_uniform_(torch.empty(5))

# error: unknown direction
init.kaiming_uniform_(torch.empty(2, 2), mode="fan")

# error: unknown function
init.kaiming_uniform_(torch.empty(2, 2), nonlinearity="wave")
