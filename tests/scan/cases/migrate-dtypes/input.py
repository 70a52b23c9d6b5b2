import torch

torch.full((2, 3), 1, dtype=torch.float32)
