import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6]])
print(x.view(3, 2).tolist())
print(x.view(-1).tolist())
