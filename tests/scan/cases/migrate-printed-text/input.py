import torch

print(f"{torch.abs(x)=}", f"{torch.abs(y)}")
