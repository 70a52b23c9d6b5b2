import torch

# case: made of numbers
made = torch.ShortTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.ShortTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.ShortTensor().shape, torch.ShortTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.int16)
result = [
    isinstance(made, torch.ShortTensor),
    isinstance(made.to(torch.int32), torch.ShortTensor),
    isinstance(3, torch.ShortTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.ShortTensor)
result = [made, made.dtype, made.type("torch.ShortTensor").dtype]

# error: text
torch.ShortTensor("x")
