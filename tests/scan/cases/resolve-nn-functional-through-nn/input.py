from torch import nn

y = nn.functional.leaky_relu(x, 0.2)
