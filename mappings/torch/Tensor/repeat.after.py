import mindspore
import torchspore

torchspore.install_tensor_methods()

x = mindspore.tensor([1, 2])
print(x.repeat(2, 2).tolist())
