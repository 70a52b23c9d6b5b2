import torch

print(f"{x:>{torch.abs(width)}}")
