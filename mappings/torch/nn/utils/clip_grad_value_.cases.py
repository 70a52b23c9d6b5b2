import torch
from torch.nn.utils import clip_grad_value_


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
result = after(clip_grad_value_, 1.5)

# case: below the limit
result = after(clip_grad_value_, 10)

# case: one tensor
weight = weights()[1]
clip_grad_value_(weight, clip_value=0.75)
result = weight.grad

# case: the same memory
weight = weights()[0]
gradient = weight.grad
clip_grad_value_([weight], 1.0)
result = [gradient, weight.grad is gradient]

# error: no tensor
clip_grad_value_([3], 1.0)
