import torch

torch.abs(x, out=y)
torch.abs(x, out=None)
