import torch

torch.manual_seed(3)

# case: probabilities
result = [torch.zeros(7).geometric_(0.3), torch.zeros(2, 3).geometric_(p=0.9)]

# case: whole numbers
result = [torch.zeros(5, dtype=each).geometric_(0.3) for each in (torch.int64, torch.int32, torch.int16, torch.uint8)]

# case: dtypes
result = [torch.zeros(5, dtype=each).geometric_(0.2) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().geometric_(0.2),
    torch.zeros(4, 6)[:, ::2].geometric_(0.2),
    torch.zeros(2, 3, 4).permute(1, 2, 0).geometric_(0.2),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).geometric_(0.2, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.geometric_(0.2) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].geometric_(0.2)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).geometric_(0.2)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).geometric_(0.2)

# error: one memory for several elements
torch.zeros(1).expand(3).geometric_(0.2)

# error: certain
torch.zeros(2).geometric_(1)

# error: impossible
torch.zeros(2).geometric_(0)

# error: truth values
torch.zeros(2, dtype=torch.bool).geometric_(0.5)
