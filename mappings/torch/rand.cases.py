import torch

torch.manual_seed(7)

# case: shapes
result = [
    torch.rand(3),
    torch.rand(2, 3),
    torch.rand((2, 2)),
    torch.rand([1]),
    torch.rand(torch.Size([2])),
    torch.rand(()),
]

# case: nothing
result = [torch.rand(0), torch.rand(2, 0, 3), torch.rand(1)]

# case: dtypes
result = [torch.rand(20, dtype=each) for each in (torch.float64, torch.float16, torch.bfloat16, torch.float32)]

# case: complex
result = torch.rand(3, dtype=torch.complex64)

# case: a generator of its own
generator = torch.Generator().manual_seed(1)
result = [torch.rand(2, generator=generator), torch.rand(2)]

# case: by keyword
result = torch.rand(size=(2, 2))

# case: a leaf
made = torch.rand(2, requires_grad=True)
result = [made.requires_grad, made.is_leaf, made]

# case: many
result = torch.rand(1000).mean()

# case: options without effect
result = torch.rand(2, device="cpu", pin_memory=False)

# error: whole numbers
torch.rand(2, dtype=torch.int64)

# error: less than nothing
torch.rand(-1)

# error: no shape
torch.rand(2.5)
