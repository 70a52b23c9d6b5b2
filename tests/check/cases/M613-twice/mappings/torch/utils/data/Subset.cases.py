from torch.utils.data import Subset

# case: length
result = len(Subset("abc", [0]))

# error: length
Subset("abc", [0])[1]
