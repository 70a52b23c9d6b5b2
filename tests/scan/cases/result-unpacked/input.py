import torch

values, indices = torch.topk(x, 2)
largest = torch.topk(x, 1)[0]
both = torch.topk(x, 2)
best = torch.topk(x, 2).values
