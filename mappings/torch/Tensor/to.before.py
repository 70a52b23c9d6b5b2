import torch

x = torch.tensor([1.5, -2.5])
wide = x.to(torch.float64)
print(wide.dtype == torch.float64, wide.tolist())
print(x.to(wide).dtype == wide.dtype)
