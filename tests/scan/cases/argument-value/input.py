import torch.nn as nn

nn.BatchNorm2d(3, 1e-5, 0.1, True, True, None, torch_dtype)
nn.BatchNorm2d(3, momentum=momentum, dtype=kind)
nn.BatchNorm2d(3, momentum=1 / steps, dtype=kind)
