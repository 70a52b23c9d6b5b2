import torch

# case: made of numbers
made = torch.FloatTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.FloatTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.FloatTensor().shape, torch.FloatTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.float32)
result = [
    isinstance(made, torch.FloatTensor),
    isinstance(made.to(torch.int32), torch.FloatTensor),
    isinstance(3, torch.FloatTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.FloatTensor)
result = [made, made.dtype, made.type("torch.FloatTensor").dtype]

# error: text
torch.FloatTensor("x")
