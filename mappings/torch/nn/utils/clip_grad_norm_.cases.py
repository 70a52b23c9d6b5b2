import torch
from torch.nn.utils import clip_grad_norm_


def weights():
    found = [torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2, 2)), torch.nn.Parameter(torch.ones(1))]
    found[0].grad = torch.tensor([3.0, -4.0])
    found[1].grad = torch.tensor([[1.0, -2.0], [0.5, 0.0]])
    return found


def after(call, *args, **kwargs):
    found = weights()
    told = call(found, *args, **kwargs)
    return [told, [each.grad for each in found]]


# case: clipped
result = after(clip_grad_norm_, 1.0)

# case: below the limit
result = after(clip_grad_norm_, 100.0)

# case: other norms
result = [after(clip_grad_norm_, 1.0, norm_type=each) for each in (1, 3.0, float("inf"))]

# case: one tensor
weight = weights()[0]
result = [clip_grad_norm_(weight, 2.0), weight.grad]

# case: an iterator
found = weights()
result = [clip_grad_norm_(iter(found), 0.5), found[0].grad]

# case: no gradients
result = clip_grad_norm_([torch.nn.Parameter(torch.ones(2))], 1.0)

# case: the same memory
weight = weights()[0]
gradient = weight.grad
clip_grad_norm_([weight], 1.0)
result = [gradient, weight.grad is gradient]

# case: not a number
weight = weights()[0]
weight.grad = torch.tensor([float("nan"), 1.0])
result = [clip_grad_norm_([weight], 1.0), weight.grad]

# case: by keyword
result = after(clip_grad_norm_, max_norm=2.0, norm_type=2.0, foreach=False)

# error: not finite and not allowed
weight = weights()[0]
weight.grad = torch.tensor([float("inf"), 1.0])
clip_grad_norm_([weight], 1.0, error_if_nonfinite=True)
