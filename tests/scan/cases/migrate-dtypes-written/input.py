import torch

torch.arange(5, dtype=torch.float32)
torch.arange(1, 5, dtype=torch.long)
torch.arange(5, dtype=torch.uint8)
torch.arange(5, dtype=torch.float32 if small else torch.float64)
torch.abs(torch.arange(5, dtype=torch.half))
