import torch

try:
    torch = ours
    start()
except OSError:
    torch.abs(x)
