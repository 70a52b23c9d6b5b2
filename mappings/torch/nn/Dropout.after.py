import mindspore
import torchspore.nn as nn

layer = nn.Dropout(p=0.25)
ones = mindspore.tensor([[1.0] * 100] * 100)
training = layer(ones)
print(sorted({round(value, 3) for row in training.tolist() for value in row}))
layer.eval()
print(layer(ones).tolist() == ones.tolist())
