import torch

torch.manual_seed(3)

# case: means and deviations
result = [
    torch.zeros(7).normal_(),
    torch.zeros(4, 8).normal_(2, 3),
    torch.zeros(20).normal_(std=0.1),
    torch.zeros(3).normal_(mean=-1, std=0),
]

# case: complex numbers
result = [torch.zeros(5, dtype=torch.complex64).normal_(), torch.zeros(4, 8, dtype=torch.complex128).normal_(1, 2)]

# case: dtypes
result = [torch.zeros(5, dtype=each).normal_(0, 2) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().normal_(0, 2),
    torch.zeros(4, 6)[:, ::2].normal_(0, 2),
    torch.zeros(2, 3, 4).permute(1, 2, 0).normal_(0, 2),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).normal_(0, 2, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.normal_(0, 2) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].normal_(0, 2)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).normal_(0, 2)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).normal_(0, 2)

# error: one memory for several elements
torch.zeros(1).expand(3).normal_(0, 2)

# error: a negative deviation
torch.zeros(2).normal_(0, -1)

# error: whole numbers
torch.zeros(2, dtype=torch.int64).normal_()
