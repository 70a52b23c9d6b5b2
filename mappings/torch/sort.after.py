import mindspore
import torchspore as torch

values, indices = torch.sort(mindspore.tensor([3, 1, 2]), descending=True)
print(values.tolist(), indices.tolist())
