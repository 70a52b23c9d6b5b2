import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, factor=2.0):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(factor))

    def forward(self, x):
        return x * self.weight


class Shift(nn.Module):
    def forward(self, x):
        return x + 1


# case: one after the other
net = nn.Sequential(Scale(2.0), Shift(), Scale(3.0))
result = [net(torch.ones(2)), len(net), list(net.state_dict())]

# case: by name
from collections import OrderedDict

net = nn.Sequential(OrderedDict([("a", Scale()), ("b", Shift())]))
result = [net(torch.ones(1)), [name for name, _ in net.named_children()], net.a.weight]

# case: by number
net = nn.Sequential(Scale(1.0), Scale(2.0), Scale(3.0))
result = [net[0].weight, net[-1].weight, len(net[1:]), net[:2](torch.ones(1)), type(net[::2]).__name__]

# case: nothing
net = nn.Sequential()
result = [len(net), net(5), list(net)]

# case: appended
net = nn.Sequential(Scale())
found = net.append(Shift())
net.extend([Scale(5.0)])
net.insert(0, Shift())
result = [found is net, len(net), net(torch.zeros(1)), list(net.state_dict())]

# case: set and deleted
net = nn.Sequential(Scale(1.0), Scale(2.0), Shift())
net[1] = Scale(7.0)
del net[0]
result = [len(net), net(torch.ones(1)), list(net.state_dict())]

# case: deleted in a row
net = nn.Sequential(Scale(1.0), Scale(2.0), Scale(3.0), Shift())
del net[1:3]
result = [len(net), list(net.state_dict())]

# case: taken out
net = nn.Sequential(Scale(1.0), Scale(2.0))
found = net.pop(0)
result = [found.weight, len(net), list(net.state_dict())]

# case: sums and multiples
one, other = nn.Sequential(Scale()), nn.Sequential(Shift(), Shift())
result = [len(one + other), len(other * 2), len(2 * one), (one + other)(torch.ones(1))]

# case: in place
net = nn.Sequential(Scale())
net += nn.Sequential(Shift())
net *= 2
result = [len(net), net(torch.ones(1))]

# case: gone through
result = [type(each).__name__ for each in nn.Sequential(Scale(), Shift())]

# case: shown
result = [repr(nn.Sequential(Shift(), Shift())), repr(nn.Sequential())]

# case: nested
net = nn.Sequential(nn.Sequential(Scale()), Shift())
result = [list(net.state_dict()), net(torch.ones(1))]

# case: gradients
net = nn.Sequential(Scale(2.0), Scale(3.0))
net(torch.ones(1)).sum().backward()
result = [each.grad for each in net.parameters()]

# error: no module
nn.Sequential(lambda x: x)

# error: past the end
nn.Sequential(Shift())[1]

# error: by a word
nn.Sequential(Shift())["a"]

# error: two inputs
nn.Sequential(Shift())(1, 2)

# error: appended what is none
nn.Sequential().append(3)
