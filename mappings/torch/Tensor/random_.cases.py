import torch

torch.manual_seed(3)

# case: to one limit
result = [torch.zeros(7).random_(5), torch.zeros(2, 3, dtype=torch.int64).random_(100), torch.zeros(4).random_(to=3)]

# case: between two
result = [
    torch.zeros(7, dtype=torch.int32).random_(-5, 5),
    torch.zeros(3).random_(2, to=9),
    torch.zeros(3, dtype=torch.int64).random_(**{"from": -3, "to": 2**40}),
]

# case: all that a dtype holds
result = [
    torch.zeros(5, dtype=each).random_()
    for each in (
        torch.int64,
        torch.int32,
        torch.int16,
        torch.int8,
        torch.uint8,
        torch.bool,
        torch.float32,
        torch.float64,
    )
]

# case: without an upper limit
result = [
    torch.zeros(4, dtype=torch.int64).random_(3, None),
    torch.zeros(4, dtype=torch.int16).random_(3, None),
    torch.zeros(4, dtype=torch.int64).random_(-(2**63), None),
    torch.zeros(4, dtype=torch.uint8).random_(0, None),
]

# case: dtypes
result = [torch.zeros(5, dtype=each).random_(9) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().random_(9),
    torch.zeros(4, 6)[:, ::2].random_(9),
    torch.zeros(2, 3, 4).permute(1, 2, 0).random_(9),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).random_(9, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.random_(9) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].random_(9)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).random_(9)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).random_(9)

# error: one memory for several elements
torch.zeros(1).expand(3).random_(9)

# error: limits the wrong way round
torch.zeros(2).random_(3, 3)

# error: beyond the dtype
torch.zeros(2, dtype=torch.uint8).random_(300)

# error: a fraction
torch.zeros(2).random_(2.5)

# error: complex numbers
torch.zeros(2, dtype=torch.complex64).random_()
