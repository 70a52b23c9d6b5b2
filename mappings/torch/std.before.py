import torch

x = torch.tensor([1.0, 3.0, 5.0])
print(torch.std(x).item())
print(torch.std(torch.tensor([1.0, 3.0]), unbiased=False).item())
