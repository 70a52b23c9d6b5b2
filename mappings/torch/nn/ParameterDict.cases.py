import torch
from torch import nn

# case: like a dict
items = nn.ParameterDict({"a": nn.Parameter(torch.ones(2))})
items["b"] = torch.zeros(1)
result = [len(items), list(items), list(items.state_dict()), "a" in items, isinstance(items["b"], nn.Parameter)]

# case: its parts
items = nn.ParameterDict({"a": torch.ones(1), "b": torch.zeros(1)})
result = [list(items.keys()), list(items.values()), [name for name, _ in items.items()]]

# case: asked for
items = nn.ParameterDict({"a": torch.ones(1)})
result = [items.get("a"), items.get("z"), items.get("z", 3), items.setdefault("b", torch.zeros(2)), len(items)]

# case: updated
items = nn.ParameterDict({"a": torch.ones(1)})
items.update({"c": torch.zeros(1), "a": torch.zeros(2)})
result = [list(items), items["a"]]

# case: taken out
items = nn.ParameterDict({"a": torch.ones(1), "b": torch.zeros(1)})
found = items.pop("a")
last = items.popitem()
result = [found, last[0], len(items)]

# case: emptied
items = nn.ParameterDict({"a": torch.ones(1)})
items.clear()
result = len(items)

# case: copied and joined
items = nn.ParameterDict({"a": torch.ones(1)})
other = items.copy()
joined = items | nn.ParameterDict({"b": torch.zeros(1)})
result = [list(other), list(joined), type(joined).__name__]

# case: from names
items = nn.ParameterDict().fromkeys(["x", "y"], torch.ones(1))
result = list(items)


# case: part of a module
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.ParameterDict({"left": torch.ones(2), "right": torch.zeros(2)})


result = [name for name, _ in Net().named_parameters()]

# case: backwards
result = list(reversed(nn.ParameterDict({"a": torch.ones(1), "b": torch.ones(1)})))

# error: no such name
nn.ParameterDict()["a"]

# error: taken out of nothing
nn.ParameterDict().pop("a")

# error: pairs that are none
nn.ParameterDict([["a"]])
