import warnings

import torch
from torch.nn import init

# case: the same
weight = torch.empty(3, 4)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    found = init.eye(weight)
result = [found is weight, weight, [each.category.__name__ for each in told]]
