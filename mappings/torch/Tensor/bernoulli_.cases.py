import torch

torch.manual_seed(3)

# case: one probability
result = [torch.zeros(9).bernoulli_(), torch.zeros(2, 6).bernoulli_(0.2), torch.zeros(4).bernoulli_(p=1)]

# case: a probability each
result = [
    torch.zeros(4).bernoulli_(torch.tensor([0.0, 0.2, 0.8, 1.0])),
    torch.zeros(3, 4).bernoulli_(torch.tensor([0.2, 0.5, 0.7, 0.9])),
    torch.zeros(3, 4).bernoulli_(p=torch.tensor(0.5, dtype=torch.float64)),
    torch.zeros(5, 4).t().bernoulli_(torch.full((4, 5), 0.5)),
    torch.zeros(6).bernoulli_(torch.full((6,), 0.5, dtype=torch.float16)),
]

# case: other dtypes
result = [torch.zeros(8, dtype=each).bernoulli_(0.5) for each in (torch.int64, torch.bool, torch.uint8, torch.int16)]

# case: dtypes
result = [torch.zeros(5, dtype=each).bernoulli_(0.5) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().bernoulli_(0.5),
    torch.zeros(4, 6)[:, ::2].bernoulli_(0.5),
    torch.zeros(2, 3, 4).permute(1, 2, 0).bernoulli_(0.5),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).bernoulli_(0.5, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.bernoulli_(0.5) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].bernoulli_(0.5)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).bernoulli_(0.5)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).bernoulli_(0.5)

# error: one memory for several elements
torch.zeros(1).expand(3).bernoulli_(0.5)

# error: above one
torch.zeros(2).bernoulli_(1.5)

# error: one of them below nought
torch.zeros(2).bernoulli_(torch.tensor([-0.1, 0.1]))

# error: whole numbers as probabilities
torch.zeros(2).bernoulli_(torch.tensor([0, 1]))

# error: shapes that do not fit
torch.zeros(3).bernoulli_(torch.tensor([0.5, 0.5]))

# error: complex numbers
torch.zeros(3, dtype=torch.complex64).bernoulli_()
