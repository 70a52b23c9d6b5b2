import copy

import torch
from torch import nn

# case: of a tensor
weight = nn.Parameter(torch.tensor([1.0, 2.0]))
result = [
    weight,
    weight.requires_grad,
    weight.is_leaf,
    isinstance(weight, torch.Tensor),
    isinstance(weight, nn.Parameter),
]

# case: without a gradient
weight = nn.Parameter(torch.arange(3), requires_grad=False)
result = [weight, weight.requires_grad]

# case: shares memory
data = torch.zeros(2)
weight = nn.Parameter(data)
data.fill_(3)
result = [weight, weight.data_ptr() == data.data_ptr()]

# case: shown
result = [repr(nn.Parameter(torch.ones(2))), repr(nn.Parameter(torch.ones(1), requires_grad=False))]

# case: results are no parameters
weight = nn.Parameter(torch.ones(2))
result = [
    isinstance(each, nn.Parameter) for each in (weight + 1, weight.detach(), weight[0], weight.data, weight.clone())
]

# case: gradient
weight = nn.Parameter(torch.tensor([1.0, 2.0]))
(weight * weight).sum().backward()
result = weight.grad

# case: written to
weight = nn.Parameter(torch.ones(2))
with torch.no_grad():
    weight.add_(1)
    weight[0] = 7
result = [weight, weight.requires_grad]

# case: data set anew
weight = nn.Parameter(torch.ones(2))
weight.data = torch.zeros(3)
result = [weight, weight.requires_grad, isinstance(weight, nn.Parameter)]

# case: copied
weight = nn.Parameter(torch.ones(2))
other = copy.deepcopy(weight)
other.data.fill_(5)
result = [weight, other, isinstance(other, nn.Parameter), other.requires_grad]

# case: nothing
result = [nn.Parameter(), nn.Parameter(torch.empty(0)).shape]

# case: a tensor is none
result = isinstance(torch.ones(1), nn.Parameter)

# error: whole numbers with a gradient
nn.Parameter(torch.arange(3))

# error: written to while recorded
weight = nn.Parameter(torch.ones(2))
weight.add_(1)
