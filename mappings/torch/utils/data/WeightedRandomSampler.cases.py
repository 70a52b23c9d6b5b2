import torch
from torch.utils.data import WeightedRandomSampler

# case: with replacement
torch.manual_seed(0)
sampler = WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 12)
result = [list(sampler), list(sampler), len(sampler)]

# case: each at most once
torch.manual_seed(1)
result = list(WeightedRandomSampler([4, 3, 2, 1], 3, replacement=False))

# case: with a generator of its own
generator = torch.Generator().manual_seed(9)
result = list(WeightedRandomSampler([0.5, 0.0, 0.5], 10, True, generator))

# case: weights are kept
sampler = WeightedRandomSampler([1, 2], 1)
result = [sampler.weights, sampler.num_samples, sampler.replacement]

# case: weights in a tensor
torch.manual_seed(4)
result = list(WeightedRandomSampler(torch.tensor([1.0, 2.0, 3.0]), 5))

# error: no samples
WeightedRandomSampler([1.0], 0)

# error: a bool of samples
WeightedRandomSampler([1.0], True)

# error: replacement is no bool
WeightedRandomSampler([1.0], 1, replacement=0)

# error: weights in rows
WeightedRandomSampler([[1.0], [2.0]], 1)

# error: more than there are
list(WeightedRandomSampler([1.0, 1.0], 3, replacement=False))

# error: no weight at all
list(WeightedRandomSampler([0.0, 0.0], 1))
