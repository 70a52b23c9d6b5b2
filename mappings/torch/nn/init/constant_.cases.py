import torch
from torch.nn import init

# case: a matrix
weight = torch.empty(3, 4)
found = init.constant_(weight, 0.25)
result = [found is weight, weight]

# case: a parameter
weight = torch.nn.Parameter(torch.full((3, 4), 7.0))
init.constant_(weight, 0.25)
result = [weight, weight.requires_grad, weight.grad_fn is None]

# case: double
result = init.constant_(torch.empty(3, 4, dtype=torch.float64), 0.25)

# case: a vector
result = init.constant_(torch.empty(3), -1)

# case: whole numbers
result = init.constant_(torch.zeros(2, dtype=torch.int64), 3)

# case: a part
result = init.constant_(torch.zeros(4, 3)[1:3], 2.0)

# error: a word
init.constant_(torch.empty(2), "a")
