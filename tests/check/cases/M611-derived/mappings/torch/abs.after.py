import mindspore
import torchspore as torch

x = mindspore.tensor([-1.5])
print(torch.abs(x).tolist())
