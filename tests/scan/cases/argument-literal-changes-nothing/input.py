import torch
import torch.nn.functional as F

torch.std(x, dim=1, correction=0)
torch.std(x, dim=1, correction=0.5)
torch.std(x, dim=1, correction=number)
torch.std(x, 1, True)
F.smooth_l1_loss(x, y, beta=0.5)
F.smooth_l1_loss(x, y, beta=0)
F.smooth_l1_loss(x, y, beta=beta)
