import torch

print(torch.abs(x)
