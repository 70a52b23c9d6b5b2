from torch.utils.data import Subset

# case: length
found = len(Subset("abc", [0]))

# case: sample
result = Subset("abc", [0])[0]
