import torch.nn as nn


class Layer(nn.Linear):
    pass


print(isinstance(layer, nn.Linear))
