import torch.nn as nn

layer = nn.Linear
one = layer(3, 4)
