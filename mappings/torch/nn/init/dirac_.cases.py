import torch
from torch.nn import init

# case: a matrix
weight = torch.empty(3, 2, 3)
found = init.dirac_(weight)
result = [found is weight, weight]

# case: a parameter
weight = torch.nn.Parameter(torch.full((3, 2, 3), 7.0))
init.dirac_(weight)
result = [weight, weight.requires_grad, weight.grad_fn is None]

# case: double
result = init.dirac_(torch.empty(3, 2, 3, dtype=torch.float64))

# case: groups
result = init.dirac_(torch.empty(4, 2, 3), groups=2)

# case: two dimensions
result = init.dirac_(torch.empty(2, 3, 3, 3))

# case: three dimensions
result = init.dirac_(torch.empty(2, 2, 1, 3, 3))

# error: no kernel
init.dirac_(torch.empty(3, 3))

# error: groups that do not fit
init.dirac_(torch.empty(3, 2, 3), groups=2)
