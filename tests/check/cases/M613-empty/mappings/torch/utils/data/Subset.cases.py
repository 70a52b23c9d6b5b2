from torch.utils.data import Subset

result = len(Subset("abc", [0]))
