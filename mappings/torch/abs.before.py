import torch

x = torch.tensor([-1.5, 0.0, 2.0])
print(torch.abs(x).tolist())
