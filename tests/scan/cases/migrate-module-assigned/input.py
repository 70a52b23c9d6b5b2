import torch

F = torch.nn.functional
F.leaky_relu(x)
