import torch

rows, columns = torch.meshgrid(torch.tensor([0, 1]), torch.tensor([10, 20, 30]), indexing="ij")
print(rows.tolist())
print(columns.tolist())
