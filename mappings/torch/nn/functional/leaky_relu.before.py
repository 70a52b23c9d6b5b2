import torch
import torch.nn.functional as F

x = torch.tensor([-4.0, 0.0, 2.0])
print(F.leaky_relu(x, negative_slope=0.25).tolist())
