import torch

# case: made of numbers
made = torch.DoubleTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.DoubleTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.DoubleTensor().shape, torch.DoubleTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.float64)
result = [
    isinstance(made, torch.DoubleTensor),
    isinstance(made.to(torch.int32), torch.DoubleTensor),
    isinstance(3, torch.DoubleTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.DoubleTensor)
result = [made, made.dtype, made.type("torch.DoubleTensor").dtype]

# error: text
torch.DoubleTensor("x")
