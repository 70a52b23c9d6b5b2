import mindspore
import torchspore

torchspore.install_tensor_methods()

x = mindspore.tensor([[1, 2, 3], [4, 5, 6]])
print(x.view(3, 2).tolist())
print(x.view(-1).tolist())
