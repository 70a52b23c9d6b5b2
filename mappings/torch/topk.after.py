import mindspore
import torchspore as torch

values, indices = torch.topk(mindspore.tensor([4, 9, 1, 7]), k=2)
print(values.tolist(), indices.tolist())
