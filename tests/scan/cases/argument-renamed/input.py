import torch.nn.functional as F

F.leaky_relu(x, negative_slope=0.1)
