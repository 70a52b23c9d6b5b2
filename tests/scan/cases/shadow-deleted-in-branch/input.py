import torch

if done:
    del torch
torch.abs(x)
