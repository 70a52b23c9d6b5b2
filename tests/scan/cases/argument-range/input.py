import torch

a = torch.arange(5)
b = torch.arange(1, 5)
c = torch.arange(end=5)
