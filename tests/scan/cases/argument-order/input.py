import torch.nn.functional as F

F.cross_entropy(scores, classes, weights)
F.cross_entropy(scores, classes, weights, None, 3)
F.cross_entropy(scores, classes, weights, None, 3, None, "sum")
