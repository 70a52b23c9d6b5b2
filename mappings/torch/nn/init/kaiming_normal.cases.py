import warnings

import torch
from torch.nn import init

torch.manual_seed(4)

# case: the same
weight = torch.empty(4, 6)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    found = init.kaiming_normal(weight)
result = [found is weight, weight, [each.category.__name__ for each in told]]
