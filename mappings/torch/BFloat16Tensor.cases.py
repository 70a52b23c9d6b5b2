import torch

# case: made of numbers
made = torch.BFloat16Tensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.BFloat16Tensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.BFloat16Tensor().shape, torch.BFloat16Tensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.bfloat16)
result = [
    isinstance(made, torch.BFloat16Tensor),
    isinstance(made.to(torch.int32), torch.BFloat16Tensor),
    isinstance(3, torch.BFloat16Tensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.BFloat16Tensor)
result = [made, made.dtype, made.type("torch.BFloat16Tensor").dtype]

# error: text
torch.BFloat16Tensor("x")
