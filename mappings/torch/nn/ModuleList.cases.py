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


# case: like a list
items = nn.ModuleList([Scale(1.0), Shift()])
items.append(Scale(3.0))
items.extend([Shift()])
items.insert(1, Scale(9.0))
result = [len(items), list(items.state_dict()), [type(each).__name__ for each in items]]

# case: by number
items = nn.ModuleList([Scale(1.0), Scale(2.0), Scale(3.0)])
result = [items[-1].weight, items[0].weight, len(items[1:]), type(items[:1]).__name__, items[2] in items]

# case: set and deleted
items = nn.ModuleList([Scale(1.0), Scale(2.0), Scale(3.0)])
items[0] = Shift()
del items[1]
result = [len(items), list(items.state_dict())]

# case: deleted in a row
items = nn.ModuleList(Scale(float(each)) for each in range(5))
del items[1:4]
result = [len(items), [each.weight for each in items]]

# case: taken out
items = nn.ModuleList([Scale(1.0), Scale(2.0)])
result = [items.pop(-1).weight, len(items)]

# case: sums
items = nn.ModuleList([Scale(1.0)]) + [Shift()]
items += [Scale(4.0)]
result = [len(items), list(items.state_dict()), type(items).__name__]

# case: nothing
result = [len(nn.ModuleList()), list(nn.ModuleList([])), nn.ModuleList().state_dict()]


# case: part of a module
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Scale() for _ in range(2))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net()
result = [net(torch.ones(1)), [name for name, _ in net.named_parameters()], len(list(net.parameters()))]

# case: gone through
items = nn.ModuleList([Shift(), Scale()])
result = [[type(each).__name__ for each in reversed(items)], [at for at, _ in enumerate(items)]]

# case: shown
result = [
    repr(nn.ModuleList([Shift(), Shift(), Shift()])),
    repr(nn.ModuleList([Shift(), nn.Sequential()])),
    repr(nn.ModuleList()),
]

# case: append returns it
items = nn.ModuleList()
result = [items.append(Shift()) is items, items.extend([Shift()]) is items]

# error: called
nn.ModuleList([Shift()])(1)

# error: past the end
nn.ModuleList([Shift()])[3]

# error: no module
nn.ModuleList([3])

# error: taken out without a number
nn.ModuleList([Shift()]).pop()

# error: extended by one
nn.ModuleList().extend(Shift())

# error: made of one
nn.ModuleList(Shift())
