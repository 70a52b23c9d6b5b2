import mindspore
import torchspore as torch

x = mindspore.tensor([-1.5, 0.0, 2.0])
print(torch.abs(x).tolist())
