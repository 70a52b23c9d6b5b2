import torch

x = torch.tensor([-1.5])
print(torch.abs(x).tolist())
