import torch
from torch.nn import init

# case: a matrix
weight = torch.empty(3, 4)
found = init.eye_(weight)
result = [found is weight, weight]

# case: a parameter
weight = torch.nn.Parameter(torch.full((3, 4), 7.0))
init.eye_(weight)
result = [weight, weight.requires_grad, weight.grad_fn is None]

# case: double
result = init.eye_(torch.empty(3, 4, dtype=torch.float64))

# case: tall
result = init.eye_(torch.empty(5, 2))

# case: nothing
result = init.eye_(torch.empty(0, 0))

# error: a vector
init.eye_(torch.empty(3))

# error: a kernel
init.eye_(torch.empty(2, 2, 2))
