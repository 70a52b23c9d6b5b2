import torch

x = torch.tensor([1.0, 3.0, 5.0])
print(torch.var(x).item())
print(torch.var(x, correction=2).item())
