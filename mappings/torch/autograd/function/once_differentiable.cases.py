import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

x = torch.tensor([1.0, 2.0]).requires_grad_()


class Square(Function):
    @staticmethod
    def forward(ctx, value):
        ctx.save_for_backward(value)
        return value * value

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        (value,) = ctx.saved_tensors
        return gradient * 2 * value


# case: once
Square.apply(x).sum().backward()
result = x.grad

# case: name is kept
result = Square.backward.__name__

# error: twice
(first,) = torch.autograd.grad(Square.apply(x).sum(), x, create_graph=True)
first.sum().backward()
