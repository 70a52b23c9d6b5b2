import torch

# case: made of numbers
made = torch.LongTensor([1, 2])
result = [made, made.dtype, made.type(), type(made) is torch.Tensor]

# case: made of a shape
made = torch.LongTensor(2, 3)
result = [made.shape, made.dtype]

# case: made of nothing
result = [torch.LongTensor().shape, torch.LongTensor([]).dtype]

# case: instances
made = torch.tensor([1, 2], dtype=torch.int64)
result = [
    isinstance(made, torch.LongTensor),
    isinstance(made.to(torch.int32), torch.LongTensor),
    isinstance(3, torch.LongTensor),
]

# case: as the name of a type
made = torch.tensor([1, 2]).type(torch.LongTensor)
result = [made, made.dtype, made.type("torch.LongTensor").dtype]

# error: text
torch.LongTensor("x")
