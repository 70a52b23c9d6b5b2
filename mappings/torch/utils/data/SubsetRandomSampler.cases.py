import torch
from torch.utils.data import Sampler, SubsetRandomSampler

# case: chosen samples
torch.manual_seed(0)
sampler = SubsetRandomSampler([10, 4, 7, 4, 1])
result = [list(sampler), list(sampler), len(sampler)]

# case: with a generator of its own
generator = torch.Generator().manual_seed(11)
result = list(SubsetRandomSampler(range(20, 40), generator=generator))

# case: nothing
result = [list(SubsetRandomSampler([])), len(SubsetRandomSampler([])), isinstance(SubsetRandomSampler([]), Sampler)]

# case: by letters
torch.manual_seed(2)
result = list(SubsetRandomSampler("abcde"))

# error: no length
list(SubsetRandomSampler(iter([1, 2])))
