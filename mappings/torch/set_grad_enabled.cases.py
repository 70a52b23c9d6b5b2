import torch

x = torch.tensor([1.0, 2.0]).requires_grad_()

# case: as a block
told = []
for mode in (True, False):
    with torch.set_grad_enabled(mode):
        told.append([(x * 2).requires_grad, torch.is_grad_enabled()])
result = [told, torch.is_grad_enabled()]

# case: as a statement
torch.set_grad_enabled(False)
off = (x * 2).requires_grad
torch.set_grad_enabled(True)
result = [off, (x * 2).requires_grad]

# case: by keyword
with torch.set_grad_enabled(mode=False):
    result = torch.is_grad_enabled()


# case: as a decorator
@torch.set_grad_enabled(False)
def doubled(value):
    return value * 2


result = [doubled(x).requires_grad, torch.is_grad_enabled(), (x * 2).requires_grad]

# case: nested
with torch.set_grad_enabled(False):
    with torch.set_grad_enabled(True):
        inner = torch.is_grad_enabled()
    result = [inner, torch.is_grad_enabled()]

# case: after an error
try:
    with torch.set_grad_enabled(False):
        raise KeyError
except KeyError:
    pass
result = torch.is_grad_enabled()
