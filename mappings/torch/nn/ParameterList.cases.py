import torch
from torch import nn

# case: like a list
items = nn.ParameterList([nn.Parameter(torch.ones(2))])
items.append(nn.Parameter(torch.zeros(1)))
items.extend([nn.Parameter(torch.ones(3))])
result = [len(items), list(items.state_dict()), [list(each.shape) for each in items], items[-1]]

# case: tensors become parameters
items = nn.ParameterList([torch.ones(2)])
result = [isinstance(items[0], nn.Parameter), items[0].requires_grad]

# case: other values stay
items = nn.ParameterList([3, torch.ones(1)])
result = [items[0], list(items.state_dict()), len(items)]

# case: set
items = nn.ParameterList([torch.ones(2), torch.ones(1)])
items[0] = nn.Parameter(torch.zeros(4))
result = [items[0], len(list(items.parameters()))]

# case: in a row
items = nn.ParameterList(torch.full((1,), float(each)) for each in range(4))
result = [len(items[1:3]), items[1:3][0], type(items[:2]).__name__]

# case: sums
items = nn.ParameterList([torch.ones(1)])
items += [nn.Parameter(torch.ones(2))]
result = [len(items), list(items.state_dict())]


# case: part of a module
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterList([torch.ones(2), torch.zeros(2)])

    def forward(self, x):
        return sum(x * each for each in self.weights)


net = Net()
net(torch.ones(2)).sum().backward()
result = [[name for name, _ in net.named_parameters()], net.weights[1].grad]

# case: nothing
result = [len(nn.ParameterList()), list(nn.ParameterList([]).parameters())]

# error: past the end
nn.ParameterList([torch.ones(1)])[2]

# error: called
nn.ParameterList()(1)

# error: extended by a number
nn.ParameterList().extend(3)
