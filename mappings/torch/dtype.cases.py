import torch

# case: what they say of themselves
kinds = [torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64]
result = [[str(k), k.is_floating_point, k.is_complex, k.is_signed, k.itemsize] for k in kinds]

# case: objects of one class
result = [
    isinstance(torch.float32, torch.dtype),
    isinstance(torch.ones(1).dtype, torch.dtype),
    isinstance(1, torch.dtype),
]

# case: equality
result = [
    torch.float is torch.float32,
    torch.long == torch.int64,
    torch.float32 == torch.float64,
    {torch.int8: 1}[torch.int8],
]
