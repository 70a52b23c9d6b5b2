import torch

print(torch.arange(4).tolist())
print(torch.arange(1, 2, 0.25).tolist())
