import torch

# case: limits
kinds = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
result = [
    [torch.finfo(k).max, torch.finfo(k).min, torch.finfo(k).eps, torch.finfo(k).tiny, torch.finfo(k).bits]
    for k in kinds
]
result += [torch.finfo().max, torch.finfo(torch.float64).dtype, torch.finfo(torch.float32).smallest_normal]

# error: whole numbers
torch.finfo(torch.int32)
