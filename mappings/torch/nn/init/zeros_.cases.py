import torch
from torch.nn import init

# case: a matrix
weight = torch.empty(3, 4)
found = init.zeros_(weight)
result = [found is weight, weight]

# case: a parameter
weight = torch.nn.Parameter(torch.full((3, 4), 7.0))
init.zeros_(weight)
result = [weight, weight.requires_grad, weight.grad_fn is None]

# case: double
result = init.zeros_(torch.empty(3, 4, dtype=torch.float64))

# case: a vector
result = init.zeros_(torch.ones(3))

# case: whole numbers
result = init.zeros_(torch.ones(2, dtype=torch.int64))
