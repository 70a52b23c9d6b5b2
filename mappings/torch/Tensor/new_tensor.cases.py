import torch

# case: its dtype
result = [
    torch.ones(2).new_tensor([1, 2]),
    torch.ones(2, dtype=torch.int64).new_tensor([1.5, 2.5]),
    torch.ones(2, dtype=torch.float16).new_tensor(3),
    torch.ones(2).new_tensor([[1, 2], [3, 4]], dtype=torch.int32),
]

# case: the data is copied
data = torch.tensor([1.0, 2.0])
made = torch.ones(1).new_tensor(data)
data.zero_()
result = made

# case: a gradient may be wanted
made = torch.ones(2).new_tensor([1, 2], requires_grad=True)
result = [made.requires_grad, made.is_leaf]
