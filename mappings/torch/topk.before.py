import torch

values, indices = torch.topk(torch.tensor([4, 9, 1, 7]), k=2)
print(values.tolist(), indices.tolist())
