import torch
from torch.nn.utils import clip_grads_with_norm_


def weights():
    found = [torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2, 2)), torch.nn.Parameter(torch.ones(1))]
    found[0].grad = torch.tensor([3.0, -4.0])
    found[1].grad = torch.tensor([[1.0, -2.0], [0.5, 0.0]])
    return found


def after(call, *args, **kwargs):
    found = weights()
    told = call(found, *args, **kwargs)
    return [told, [each.grad for each in found]]


# case: scaled
result = after(clip_grads_with_norm_, 1.0, torch.tensor(4.0))

# case: below the limit
result = after(clip_grads_with_norm_, 10.0, torch.tensor(4.0))

# case: one tensor
weight = weights()[0]
clip_grads_with_norm_(weight, 1.0, torch.tensor(10.0))
result = weight.grad

# case: no gradients
result = clip_grads_with_norm_([torch.nn.Parameter(torch.ones(2))], 1.0, torch.tensor(2.0))
