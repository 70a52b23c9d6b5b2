import mindspore
import torchspore as torch

x = mindspore.tensor([[3, 1, 2], [5, 9, 4]])
print(torch.argmin(x).item())
print(torch.argmin(x, dim=1, keepdim=True).tolist())
