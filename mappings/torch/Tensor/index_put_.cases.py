import torch

z = torch.zeros
T = torch.tensor

# case: numbers of places
result = [
    z(4).index_put_((T([0, 2]),), T([1.0, 2.0])),
    z(3, 4).index_put_((T([0, -1]), T([[1], [2]])), T(5.0)),
    z(3, 4).index_put_([T([1], dtype=torch.int32)], torch.arange(4.0)),
]

# case: masks
result = [
    z(3).index_put_((T([True, False, True]),), T([1.0, 2.0])),
    z(2, 3).index_put_((torch.eye(2, 3, dtype=torch.bool),), T(2.0)),
    z(2, 3).index_put_((T([False, True]), T([0])), T(2.0)),
]

# case: added where several fall together
result = [
    z(3).index_put_((T([0, 0, 1]),), T([1.0, 2.0, 3.0]), accumulate=True),
    z(3, 2, dtype=torch.int64).index_put_((T([1, 1]),), T([[1, 2], [3, 4]]), True),
]

# case: dtypes
result = [
    z(4, dtype=each).index_put_((T([1, 3]),), torch.ones(2, dtype=each))
    for each in (torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.uint8, torch.bool, torch.complex64)
]

# case: gradients
x, y = torch.ones(4, requires_grad=True), T([2.0, 3.0], requires_grad=True)
(x * 2).index_put_((T([0, 3]),), y * 1).pow(2).sum().backward()
result = [x.grad, y.grad]

# case: gradients of what is added
x, y = torch.ones(3, 2, requires_grad=True), T([2.0, 3.0], requires_grad=True)
(x * 2).index_put_((T([0, 0, 2]),), y * 1, accumulate=True).pow(2).sum().backward()
result = [x.grad, y.grad]

# error: beyond the tensor
z(3).index_put_((T([3]),), T(1.0))

# error: too many indices
z(3).index_put_((T([0]), T([0])), T(1.0))

# error: values that do not fit
z(3).index_put_((T([0, 1]),), T([1.0, 2.0, 3.0]))

# error: another dtype
z(3).index_put_((T([0]),), T(1))

# error: fractions as indices
z(3).index_put_((T([0.5]),), T(1.0))

# case: the tensor itself through a view
whole = z(3, 4)
part = whole[1]
result = [part.index_put_((T([0, 3]),), T([1.0, 2.0])) is part, whole]

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).index_put_((T([0]),), T(1.0))
