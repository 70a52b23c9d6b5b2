import torch

middle = torch.median(x)
middle, where = torch.median(x, 1)
torch.median(x, dim=1, keepdim=True)
