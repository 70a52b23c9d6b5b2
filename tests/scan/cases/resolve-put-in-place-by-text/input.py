import torch

setattr(torch, "abs", faster)
torch.abs(x)
torch.argmin(x)
