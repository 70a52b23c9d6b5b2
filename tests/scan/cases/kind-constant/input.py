import torch
from torch import bfloat16

x = torch.full((2,), torch.pi, dtype=torch.float32)
y = x.to(torch.half)
z = y.to(bfloat16)
