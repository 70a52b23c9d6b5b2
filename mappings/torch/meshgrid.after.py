import mindspore
import torchspore as torch

rows, columns = torch.meshgrid(mindspore.tensor([0, 1]), mindspore.tensor([10, 20, 30]), indexing="ij")
print(rows.tolist())
print(columns.tolist())
