import torch

whole = torch.tensor([[1, 2]])
halves = torch.tensor([[0.5, 1.5]])
joined = torch.cat((whole, halves), dim=0)
print(joined.tolist())
