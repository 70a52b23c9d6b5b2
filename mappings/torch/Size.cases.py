import torch

size = torch.ones(2, 3, 4).shape

# case: a tuple
first, *rest = size
result = [first, rest, len(size), size[-1], tuple(size), size == (2, 3, 4), hash(size) == hash((2, 3, 4))]

# case: its own
result = [
    size.numel(),
    str(size),
    isinstance(size[1:], torch.Size),
    str(torch.Size([1, 2])),
    str(size + (5,)),
]

# case: as an argument
result = [torch.zeros(size).shape, torch.ones(size[:2]).sum().item(), torch.ones(24).view(size).shape]
