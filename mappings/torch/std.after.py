import mindspore
import torchspore as torch

x = mindspore.tensor([1.0, 3.0, 5.0])
print(torch.std(x).item())
print(torch.std(mindspore.tensor([1.0, 3.0]), unbiased=False).item())
