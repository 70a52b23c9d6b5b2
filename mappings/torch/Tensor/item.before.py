import torch

total = torch.tensor([[2.5]])
print(total.item())
