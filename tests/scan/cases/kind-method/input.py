import torch

x = torch.full((2, 3), 1, dtype=torch.float32)
values, indices = x.max(1)
print(x.std(unbiased=False), x.abs(), x.median(dim=1, keepdim=True))
