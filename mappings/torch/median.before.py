import torch

x = torch.tensor([[3.0, 1.0, 2.0, 8.0], [5.0, 9.0, 4.0, 6.0]])
print(torch.median(x).item())
found = torch.median(x, dim=1)
print(found.values.tolist(), found.indices.tolist())
