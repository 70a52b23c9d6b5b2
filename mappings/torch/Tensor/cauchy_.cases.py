import torch

torch.manual_seed(3)

# case: medians and widths
result = [torch.zeros(7).cauchy_(), torch.zeros(2, 3).cauchy_(1, 0.5), torch.zeros(4).cauchy_(sigma=2, median=-1)]

# case: dtypes
result = [torch.zeros(5, dtype=each).cauchy_(0, 2) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().cauchy_(0, 2),
    torch.zeros(4, 6)[:, ::2].cauchy_(0, 2),
    torch.zeros(2, 3, 4).permute(1, 2, 0).cauchy_(0, 2),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).cauchy_(0, 2, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.cauchy_(0, 2) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].cauchy_(0, 2)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).cauchy_(0, 2)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).cauchy_(0, 2)

# error: one memory for several elements
torch.zeros(1).expand(3).cauchy_(0, 2)

# error: no width
torch.zeros(2).cauchy_(0, 0)

# error: whole numbers
torch.zeros(2, dtype=torch.int64).cauchy_()
