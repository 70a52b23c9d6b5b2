import torch

values, indices = torch.sort(torch.tensor([3, 1, 2]), descending=True)
print(values.tolist(), indices.tolist())
