import torch

# case: made of numbers
made = torch.BoolTensor([True, False])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.BoolTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.BoolTensor().shape, torch.BoolTensor([]).dtype]

# case: instances
made = torch.tensor([True, False], dtype=torch.bool)
result = [
    isinstance(made, torch.BoolTensor),
    isinstance(made.to(torch.int32), torch.BoolTensor),
    isinstance(3, torch.BoolTensor),
]

# case: as the name of a type
made = torch.tensor([True, False]).type(torch.BoolTensor)
result = [made, made.dtype, made.type("torch.BoolTensor").dtype]

# error: text
torch.BoolTensor("x")
