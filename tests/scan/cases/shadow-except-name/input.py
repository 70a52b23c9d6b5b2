import torch

try:
    pass
except ValueError as torch:
    print(torch.abs)
torch.abs(x)
