import torch.nn as nn

nn.Dropout(0.5)
x = nn.Dropout
