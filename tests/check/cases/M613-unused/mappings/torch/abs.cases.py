import torch

# case: negative
result = torch.abs(torch.ones(2))
