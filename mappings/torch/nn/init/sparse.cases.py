import warnings

import torch
from torch.nn import init

torch.manual_seed(4)

# case: the same
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    found = init.sparse(torch.empty(4, 3), 0.5)
result = [found, [each.category.__name__ for each in told]]
