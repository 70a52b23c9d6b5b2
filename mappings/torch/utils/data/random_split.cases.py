import warnings

import torch
from torch.utils.data import Subset, random_split

# case: by lengths
torch.manual_seed(0)
parts = random_split(range(10), [3, 7])
result = [[part.indices for part in parts], list(parts[0]), isinstance(parts[0], Subset)]

# case: by shares
generator = torch.Generator().manual_seed(42)
parts = random_split(range(11), [0.5, 0.3, 0.2], generator=generator)
result = [part.indices for part in parts]

# case: shares of little
generator = torch.Generator().manual_seed(1)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    parts = random_split("ab", [0.4, 0.3, 0.3], generator)
result = [[len(part) for part in parts], len(told)]

# case: nothing
result = random_split([], [])

# error: lengths do not add up
random_split(range(5), [2, 2])

# error: a negative share
random_split(range(5), [1.5, -0.5])
