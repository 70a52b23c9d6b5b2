import torch
from torch.autograd import Function

x = torch.tensor([1.0, 2.0]).requires_grad_()
y = torch.tensor([3.0, 5.0]).requires_grad_()


class Cube(Function):
    @staticmethod
    def forward(ctx, value):
        ctx.save_for_backward(value)
        return value * value * value

    @staticmethod
    def backward(ctx, gradient):
        (value,) = ctx.saved_tensors
        return gradient * 3 * value * value


class Weighted(Function):
    @staticmethod
    def forward(ctx, one, other, factor, label="none"):
        ctx.save_for_backward(one, other)
        ctx.factor = factor
        return one * other * factor, one + other

    @staticmethod
    def backward(ctx, product, total):
        one, other = ctx.saved_tensors
        return product * other * ctx.factor + total, product * one * ctx.factor + total, None, None


# case: forward and backward
out = Cube.apply(x)
out.sum().backward()
result = [out, out.requires_grad, x.grad]

# case: several inputs and outputs
product, total = Weighted.apply(x, y, 2.0, "some")
(product.sum() + 3 * total.sum()).backward()
result = [product, total, x.grad, y.grad]

# case: one output used
product, total = Weighted.apply(x, y, 2.0)
total.sum().backward()
result = [x.grad, y.grad]

# case: no gradient needed
out = Cube.apply(torch.ones(2))
result = [out, out.requires_grad]

# case: not recorded
with torch.no_grad():
    out = Cube.apply(x)
result = out.requires_grad

# case: in a chain
Cube.apply(Cube.apply(x * 2) + 1).sum().backward()
result = x.grad


# case: context apart
class Scaled(Function):
    @staticmethod
    def forward(value, factor):
        return value * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.factor, None


Scaled.apply(x, 4.0).sum().backward()
result = x.grad


# case: which inputs need it
class Told(Function):
    seen = []

    @staticmethod
    def forward(ctx, one, other):
        Told.seen.append(ctx.needs_input_grad)
        return one + other

    @staticmethod
    def backward(ctx, gradient):
        Told.seen.append(ctx.needs_input_grad)
        return gradient, None


Told.apply(x, torch.ones(2)).sum().backward()
result = [Told.seen, x.grad]


# case: not differentiable
class Split(Function):
    @staticmethod
    def forward(ctx, value):
        places = value > 1
        ctx.mark_non_differentiable(places)
        return value * 2, places

    @staticmethod
    def backward(ctx, gradient, places):
        return gradient * 2


values, places = Split.apply(x)
values.sum().backward()
result = [values.requires_grad, places, places.requires_grad, x.grad]


# case: no noughts for what is not used
class Pair(Function):
    seen = []

    @staticmethod
    def forward(ctx, value):
        ctx.set_materialize_grads(False)
        return value * 1, value * 2

    @staticmethod
    def backward(ctx, one, other):
        Pair.seen.append([one is None, other is None])
        return one


Pair.apply(x)[0].sum().backward()
result = [Pair.seen, x.grad]


# case: the input itself
class Same(Function):
    @staticmethod
    def forward(ctx, value):
        return value.view_as(value)

    @staticmethod
    def backward(ctx, gradient):
        return -gradient


Same.apply(x).sum().backward()
result = x.grad


# case: recorded while it runs
class Watching(Function):
    seen = []

    @staticmethod
    def forward(ctx, value):
        Watching.seen.append(torch.is_grad_enabled())
        return value * 2

    @staticmethod
    def backward(ctx, gradient):
        Watching.seen.append(torch.is_grad_enabled())
        return gradient * 2


Watching.apply(x).sum().backward()
result = Watching.seen


# error: no forward
class Empty(Function):
    pass


Empty.apply(x)


# error: no backward
class Forward(Function):
    @staticmethod
    def forward(ctx, value):
        return value * 2


Forward.apply(x).sum().backward()


# error: other number of gradients
class Few(Function):
    @staticmethod
    def forward(ctx, one, other):
        return one * other

    @staticmethod
    def backward(ctx, gradient):
        return gradient


Few.apply(x, y).sum().backward()

# error: saved what was written to
kept = x * 1
out = Cube.apply(kept)
kept.add_(1)
out.sum().backward()


# error: saved what is no tensor
class Saving(Function):
    @staticmethod
    def forward(ctx, value):
        ctx.save_for_backward(3)
        return value


Saving.apply(x)


# error: gradient of another shape
class Wrong(Function):
    @staticmethod
    def forward(ctx, value):
        return value * 2

    @staticmethod
    def backward(ctx, gradient):
        return torch.ones(5)


Wrong.apply(x).sum().backward()
