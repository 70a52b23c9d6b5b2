import torch

# case: made of numbers
made = torch.HalfTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.HalfTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.HalfTensor().shape, torch.HalfTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.float16)
result = [
    isinstance(made, torch.HalfTensor),
    isinstance(made.to(torch.int32), torch.HalfTensor),
    isinstance(3, torch.HalfTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.HalfTensor)
result = [made, made.dtype, made.type("torch.HalfTensor").dtype]

# error: text
torch.HalfTensor("x")
