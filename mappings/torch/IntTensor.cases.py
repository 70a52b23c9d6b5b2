import torch

# case: made of numbers
made = torch.IntTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.IntTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.IntTensor().shape, torch.IntTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.int32)
result = [
    isinstance(made, torch.IntTensor),
    isinstance(made.to(torch.int64), torch.IntTensor),
    isinstance(3, torch.IntTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.IntTensor)
result = [made, made.dtype, made.type("torch.IntTensor").dtype]

# error: text
torch.IntTensor("x")
