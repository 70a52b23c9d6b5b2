import torch

# case: made of numbers
made = torch.ByteTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.ByteTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.ByteTensor().shape, torch.ByteTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.uint8)
result = [
    isinstance(made, torch.ByteTensor),
    isinstance(made.to(torch.int32), torch.ByteTensor),
    isinstance(3, torch.ByteTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.ByteTensor)
result = [made, made.dtype, made.type("torch.ByteTensor").dtype]

# error: text
torch.ByteTensor("x")
