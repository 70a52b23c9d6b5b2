import torch.nn.functional as F

F.interpolate(x, size=(height, width))
F.interpolate(x, size=size)
F.interpolate(x, scale_factor=2, mode="area")
