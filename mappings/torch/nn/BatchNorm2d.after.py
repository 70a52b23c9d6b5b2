import mindspore
import torchspore.nn as nn

layer = nn.BatchNorm2d(1, momentum=0.25)
images = mindspore.tensor([[[[0.0, 2.0]]], [[[4.0, 6.0]]]])
layer(images)  # a new layer is in training mode
print(layer.state_dict()["running_mean"].tolist())
layer.eval()
print([round(value, 3) for value in layer(images).flatten().tolist()])
