import torch

(torch).abs(x)
((torch).nn).functional.cross_entropy(x, y)
(torch.abs)(x)
torch . abs ( x )
torch.hypot(x, x)
torch.nn.functional.cross_entropy(x, y)
(torch).nn.functional.cross_entropy(x, y)
