import torch

x = torch.tensor([1.0, 2.0]).requires_grad_()

# case: as a block
with torch.enable_grad():
    inside = x * 2
    told = torch.is_grad_enabled()
outside = x * 2
result = [inside.requires_grad, told, outside.requires_grad, torch.is_grad_enabled()]


# case: as a decorator
@torch.enable_grad()
def doubled(value):
    """Twice."""
    return value * 2


result = [doubled(x).requires_grad, doubled.__name__, doubled.__doc__, (x * 2).requires_grad]


# case: without brackets
@torch.enable_grad
def tripled(value):
    return value * 3


result = [tripled(x), tripled(x).requires_grad]

# case: nested
told = []
with torch.enable_grad():
    with torch.enable_grad():
        told.append((x * 2).requires_grad)
        with torch.no_grad():
            told.append((x * 2).requires_grad)
        told.append((x * 2).requires_grad)
    told.append((x * 2).requires_grad)
result = told

# case: after an error
try:
    with torch.enable_grad():
        raise ValueError
except ValueError:
    pass
result = (x * 2).requires_grad


# case: a generator
@torch.enable_grad()
def several():
    yield (x * 2).requires_grad
    yield (x * 3).requires_grad


result = [[told, (x * 2).requires_grad] for told in several()]

# case: entered twice
mode, told = torch.enable_grad(), []
for _ in range(2):
    with mode:
        told.append((x * 2).requires_grad)
result = told + [torch.is_grad_enabled()]


# case: a method
class Net:
    @torch.enable_grad()
    def run(self, value, times=1):
        return value * times


result = [Net().run(x, times=2), Net().run(x).requires_grad]

# case: what is made inside
with torch.enable_grad():
    made = torch.ones(2)
    asked = torch.ones(2).requires_grad_().requires_grad
result = [made.requires_grad, made.is_leaf, asked]

# case: gradient
with torch.no_grad(), torch.enable_grad():
    y = (x * x).sum()
y.backward()
result = x.grad
