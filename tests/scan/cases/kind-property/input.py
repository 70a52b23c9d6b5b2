import torch

x = torch.full((2, 3), 1.0)
rows, columns = x.shape
print(x.dtype, x.ndim, x.T)
