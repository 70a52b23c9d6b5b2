import torch
from torch.utils.data import RandomSampler

# case: each sample once
torch.manual_seed(3)
sampler = RandomSampler(range(11))
result = [list(sampler), list(sampler), len(sampler)]

# case: with a generator of its own
generator = torch.Generator().manual_seed(5)
sampler = RandomSampler("abcdefg", generator=generator)
result = [list(sampler), list(sampler)]

# case: repeated samples
torch.manual_seed(0)
sampler = RandomSampler(range(4), replacement=True, num_samples=70)
result = [list(sampler), len(sampler), sampler.num_samples]

# case: fewer than there are
torch.manual_seed(1)
result = list(RandomSampler(range(9), num_samples=4))

# case: more than there are
generator = torch.Generator().manual_seed(2)
result = list(RandomSampler(range(3), False, 8, generator))

# case: what is drawn afterwards
torch.manual_seed(7)
list(RandomSampler(range(5)))
result = torch.initial_seed(), list(RandomSampler(range(5)))

# error: nothing to read
RandomSampler([])

# error: no samples
RandomSampler(range(3), num_samples=0)

# error: a share of samples
RandomSampler(range(3), num_samples=1.5)

# error: replacement is no bool
RandomSampler(range(3), replacement=1)
