import torch

x = torch.tensor([1, 2])
print(x.repeat(2, 2).tolist())
