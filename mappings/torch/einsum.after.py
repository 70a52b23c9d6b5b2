import mindspore
import torchspore as torch

a = mindspore.tensor([[1.0, 2.0], [3.0, 4.0]])
b = mindspore.tensor([[5.0, 6.0], [7.0, 8.0]])
print(torch.einsum("ij,jk->ik", a, b).tolist())
print(torch.einsum("ij,ij->", a, b).item())
