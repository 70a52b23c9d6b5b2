import torch

a = torch.arange(5)
b = torch.arange(1, 5)
c = torch.arange(end=5)
d = torch.arange(True, 0x10, steps + 1)
e = torch.arange(end=count)
