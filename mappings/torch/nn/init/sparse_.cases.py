import torch
from torch.nn import init

torch.manual_seed(4)

# case: a third
weight = torch.empty(6, 4)
found = init.sparse_(weight, sparsity=0.3)
result = [found is weight, weight]

# case: deviation
result = init.sparse_(torch.empty(5, 2), 0.5, std=1.0)

# case: nothing left
result = init.sparse_(torch.empty(3, 2), 1.0)

# error: a kernel
init.sparse_(torch.empty(2, 2, 2), 0.5)
