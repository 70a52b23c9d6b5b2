import torch
import torch.nn.functional as F

found = torch.tensor([0.0, 1.0, 4.0])
wanted = torch.tensor([0.5, 1.0, 1.0])
print(F.smooth_l1_loss(found, wanted, reduction="none").tolist())
print(F.smooth_l1_loss(found, wanted, reduction="sum").item())
