import torch

x = torch.tensor([1.0, 2.0]).requires_grad_()

# case: as a block
with torch.inference_mode():
    inside = x * 2
    told = [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]
result = [inside, inside.requires_grad, told, torch.is_grad_enabled(), torch.is_inference_mode_enabled()]

# case: turned off
with torch.inference_mode(False):
    result = [(x * 2).requires_grad, torch.is_inference_mode_enabled()]

# case: turned off inside
with torch.inference_mode():
    with torch.inference_mode(mode=False):
        told = [(x * 2).requires_grad, torch.is_inference_mode_enabled()]
    result = [told, (x * 2).requires_grad, torch.is_inference_mode_enabled()]


# case: as a decorator
@torch.inference_mode()
def doubled(value):
    return value * 2


result = [doubled(x).requires_grad, doubled.__name__, torch.is_inference_mode_enabled()]


# case: without brackets
@torch.inference_mode
def tripled(value):
    return value * 3


result = tripled(x).requires_grad

# case: after an error
try:
    with torch.inference_mode():
        raise KeyError
except KeyError:
    pass
result = [torch.is_inference_mode_enabled(), (x * 2).requires_grad]

# error: backward of nothing
with torch.inference_mode():
    y = x.sum()
y.backward()
