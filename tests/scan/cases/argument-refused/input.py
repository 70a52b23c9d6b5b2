import torch.nn.functional as F

F.leaky_relu(x, 0.1, inplace=False)
F.leaky_relu(x, 0.1, inplace=True)
F.leaky_relu(x, 0.1, inplace=flag)
