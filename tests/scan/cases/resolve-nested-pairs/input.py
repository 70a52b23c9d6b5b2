import torch

(one, two), three = (torch.abs, torch.cat), torch.std
one(x)
three(x, out=y)
