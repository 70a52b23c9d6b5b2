import mindspore
import torchspore

torchspore.install_tensor_methods()

total = mindspore.tensor([[2.5]])
print(total.item())
