import torch; x = torch.abs(y); torch.hypot(x, y)
if x: import torch; torch.abs(x)
