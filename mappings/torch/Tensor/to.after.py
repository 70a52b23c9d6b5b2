import mindspore
import torchspore

torchspore.install_tensor_methods()

x = mindspore.tensor([1.5, -2.5])
wide = x.to(mindspore.float64)
print(wide.dtype == mindspore.float64, wide.tolist())
print(x.to(wide).dtype == wide.dtype)
