import torch

# case: made of a shape and of numbers
result = [torch.Tensor(2, 3).shape, torch.Tensor([1, 2]).tolist(), str(torch.Tensor([1, 2]).dtype)]

# case: instances
made = torch.ones(2)
result = [isinstance(made, torch.Tensor), isinstance(3, torch.Tensor), type(made) is torch.Tensor]

# case: arithmetic and comparison
one, two = torch.tensor([1.0, -2.0]), torch.tensor([3, 4])
result = [
    one + two,
    one - 1,
    2 * one,
    one / two,
    two // 3,
    two % 3,
    one**2,
    -one,
    abs(one),
    one < two,
    two == 3,
    one @ one,
]

# case: in place
one = torch.zeros(2, 3)
part = one[0]
part += 1
one[:, 1] = 5
one.add_(1).mul_(2)
result = [one, part]

# case: gradients
one = torch.tensor([1.0, 2.0], requires_grad=True)
(one * one).sum().backward()
result = [one.grad, one.requires_grad, one.is_leaf]

# case: iteration and truth
result = [
    [each.item() for each in torch.tensor([1, 2])],
    len(torch.ones(3, 2)),
    bool(torch.tensor(0.5)),
    2 in torch.tensor([1, 2]),
]

# case: names of arguments
one = torch.arange(6.0).reshape(2, 3)
result = [
    one.sum(axis=0),
    one.mean(dim=1, keepdim=True),
    one.max(axis=1).values,
    one.reshape(shape=(3, 2)),
    one.view(size=(6,)),
]

# error: truth of several
bool(torch.ones(2))

# error: shapes that do not fit
torch.ones(2) + torch.ones(3)
