import torch.nn.functional as F  # the usual name


y = F.leaky_relu(  # activation
    x,   # input
    negative_slope = 0.1,
)
z = F . leaky_relu (x )
if y: w = F.leaky_relu(y)
