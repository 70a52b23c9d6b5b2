import torch
from torch import nn


class Mean(nn.Module):
    def __init__(self, persistent=True):
        super().__init__()
        self.mean = nn.Buffer(torch.zeros(2), persistent=persistent)


# case: registered by itself
net = Mean()
result = [[name for name, _ in net.named_buffers()], list(net.state_dict()), len(list(net.parameters()))]

# case: not in the state
net = Mean(persistent=False)
result = [[name for name, _ in net.named_buffers()], list(net.state_dict())]

# case: is an instance
buffer = nn.Buffer(torch.ones(2))
result = [isinstance(buffer, nn.Buffer), isinstance(torch.ones(2), nn.Buffer), isinstance(buffer, torch.Tensor), buffer]

# case: no gradient
result = nn.Buffer(torch.ones(2)).requires_grad

# case: moves with the module
result = Mean().double().mean.dtype

# case: nothing
result = nn.Buffer()
