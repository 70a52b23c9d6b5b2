import torch

torch.optim.AdamW(parameters)
torch.optim.AdamW(parameters, eps=0.001)
torch.optim.AdamW(parameters, eps=eps)
