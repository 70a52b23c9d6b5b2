import mindspore
import torchspore.nn.functional as F

x = mindspore.tensor([-4.0, 0.0, 2.0])
print(F.leaky_relu(x, negative_slope=0.25).tolist())
