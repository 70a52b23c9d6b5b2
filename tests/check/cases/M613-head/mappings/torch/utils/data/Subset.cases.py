from torch.utils.data import Subset

# case: length
result = len(Subset("abc", [0]))

# error: Past, the end
Subset("abc", [0])[1]
