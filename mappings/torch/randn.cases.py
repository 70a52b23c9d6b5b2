import torch

torch.manual_seed(11)

# case: few
result = [torch.randn(3), torch.randn(1), torch.randn(2, 2), torch.randn(())]

# case: blocks
result = [torch.randn(16), torch.randn(17), torch.randn(5, 7), torch.randn(100)]

# case: dtypes
result = [torch.randn(18, dtype=each) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: few of each dtype
result = [torch.randn(3, dtype=each) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: complex
result = [torch.randn(2, dtype=torch.complex64), torch.randn(9, dtype=torch.complex128)]

# case: a generator of its own
generator = torch.Generator().manual_seed(1)
result = [torch.randn(2, generator=generator), torch.randn(2)]

# case: a leaf
result = torch.randn(2, 3, requires_grad=True).requires_grad

# case: nothing
result = [torch.randn(0, 3), torch.randn(1)]

# error: whole numbers
torch.randn(2, dtype=torch.int32)

# error: a word
torch.randn("2")
