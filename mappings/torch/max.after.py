import mindspore
import torchspore as torch

x = mindspore.tensor([[3, 1, 2], [5, 9, 4]])
print(torch.max(x).item())
found = torch.max(x, dim=1)
print(found.values.tolist(), found.indices.tolist())
