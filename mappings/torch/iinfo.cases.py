import torch

# case: limits
kinds = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
result = [[torch.iinfo(k).max, torch.iinfo(k).min, torch.iinfo(k).bits, torch.iinfo(k).dtype] for k in kinds]

# error: floats
torch.iinfo(torch.float32)
