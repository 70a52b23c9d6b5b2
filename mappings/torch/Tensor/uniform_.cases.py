import torch

torch.manual_seed(3)

# case: limits
result = [
    torch.zeros(7).uniform_(),
    torch.zeros(2, 3).uniform_(-1, 3),
    torch.zeros(20).uniform_(to=5),
    torch.zeros(4).uniform_(**{"from": -2.5}),
    torch.zeros(3).uniform_(2, 2),
]

# case: complex numbers
result = [torch.zeros(5, dtype=torch.complex64).uniform_(), torch.zeros(2, 3, dtype=torch.complex128).uniform_(1, 2)]

# case: dtypes
result = [torch.zeros(5, dtype=each).uniform_(0, 2) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().uniform_(0, 2),
    torch.zeros(4, 6)[:, ::2].uniform_(0, 2),
    torch.zeros(2, 3, 4).permute(1, 2, 0).uniform_(0, 2),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).uniform_(0, 2, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.uniform_(0, 2) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].uniform_(0, 2)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).uniform_(0, 2)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).uniform_(0, 2)

# error: one memory for several elements
torch.zeros(1).expand(3).uniform_(0, 2)

# error: limits the wrong way round
torch.zeros(2).uniform_(1, 0)

# error: whole numbers
torch.zeros(2, dtype=torch.int64).uniform_()

# error: beyond the dtype
torch.zeros(2, dtype=torch.float16).uniform_(0, 1e6)
