import mindspore
import torchspore.nn.functional as F

image = mindspore.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
print(F.interpolate(image, size=(4, 4), mode="nearest").tolist())
print(F.interpolate(image, size=(3, 3), mode="bilinear", align_corners=True).tolist())
