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


# case: like a dict
items = nn.ModuleDict({"a": Scale(1.0), "b": Shift()})
items["c"] = Scale(3.0)
result = [len(items), list(items), list(items.state_dict()), "a" in items, "z" in items, items["c"].weight]

# case: its parts
items = nn.ModuleDict({"a": Scale(1.0), "b": Shift()})
result = [list(items.keys()), [type(each).__name__ for each in items.values()], [name for name, _ in items.items()]]

# case: of pairs
items = nn.ModuleDict([["x", Shift()], ["y", Scale()]])
result = list(items)

# case: updated
items = nn.ModuleDict({"a": Shift()})
items.update({"b": Shift(), "a": Scale(2.0)})
items.update(nn.ModuleDict({"c": Shift()}))
result = [list(items), type(items["a"]).__name__]

# case: taken out
items = nn.ModuleDict({"a": Scale(4.0), "b": Shift()})
found = items.pop("a")
del items["b"]
result = [found.weight, len(items)]

# case: emptied
items = nn.ModuleDict({"a": Shift()})
items.clear()
result = [len(items), list(items.state_dict())]


# case: part of a module
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"one": Scale(2.0), "two": Scale(3.0)})

    def forward(self, x, head):
        return self.heads[head](x)


net = Net()
result = [net(torch.ones(1), "two"), [name for name, _ in net.named_parameters()]]

# case: shown
result = [repr(nn.ModuleDict({"a": Shift()})), repr(nn.ModuleDict())]

# error: no such name
nn.ModuleDict()["a"]

# error: no module
nn.ModuleDict({"a": 3})

# error: a name that is no word
nn.ModuleDict({1: Shift()})

# error: pairs that are none
nn.ModuleDict([["a"]])

# error: updated by a number
nn.ModuleDict().update(3)
