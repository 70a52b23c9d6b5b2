import torch

torch.manual_seed(5)

# case: below
result = [torch.randint(10, (4,)), torch.randint(3, (2, 2)), torch.randint(high=2, size=(3,))]

# case: between
result = [torch.randint(-5, 5, (6,)), torch.randint(low=3, high=4, size=(2,)), torch.randint(0, 7, [3])]

# case: dtypes
result = [torch.randint(1, 9, (3,), dtype=each) for each in (torch.int8, torch.uint8, torch.int32, torch.float32)]

# case: wide
result = torch.randint(-(2**62), 2**62, (4,))

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.randint(100, (3,), generator=generator), torch.randint(100, (3,))]

# case: without dimensions
result = torch.randint(5, ())

# case: truth values
result = torch.randint(0, 2, (8,), dtype=torch.bool)

# error: empty range
torch.randint(3, 3, (2,))

# error: beyond the dtype
torch.randint(300, (2,), dtype=torch.uint8)

# error: size is a number
torch.randint(5, 3)

# error: a gradient for whole numbers
torch.randint(5, (2,), requires_grad=True)
