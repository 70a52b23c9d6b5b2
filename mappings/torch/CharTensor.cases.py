import torch

# case: made of numbers
made = torch.CharTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.CharTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.CharTensor().shape, torch.CharTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.int8)
result = [
    isinstance(made, torch.CharTensor),
    isinstance(made.to(torch.int32), torch.CharTensor),
    isinstance(3, torch.CharTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.CharTensor)
result = [made, made.dtype, made.type("torch.CharTensor").dtype]

# error: text
torch.CharTensor("x")
