import torch

x = torch.tensor([1.0, 2.0]).requires_grad_()
y = torch.tensor([3.0, 5.0]).requires_grad_()

# case: one
result = [torch.autograd.grad((x * x).sum(), x), x.grad]

# case: several inputs
result = torch.autograd.grad((x * y).sum(), [x, y])

# case: several outputs
result = torch.autograd.grad([(x * 2).sum(), (x * y).sum()], (x,))

# case: weighted
result = torch.autograd.grad(x * y, x, grad_outputs=torch.tensor([10.0, 1.0]))

# case: weighted each
result = torch.autograd.grad([x * 2, (x * x).sum()], x, [torch.ones(2), None])

# case: not used
result = [
    torch.autograd.grad((x * 2).sum(), [x, y], allow_unused=True),
    torch.autograd.grad((x * 2).sum(), [x, y], materialize_grads=True),
]

# case: by something inside
middle = x * 3
result = torch.autograd.grad((middle * middle).sum(), [middle, x])

# case: twice
z = (x * x * x).sum()
result = [torch.autograd.grad(z, x, retain_graph=True), torch.autograd.grad(z, x)]

# case: second derivative
(first,) = torch.autograd.grad(x * x * x, x, torch.ones(2), create_graph=True)
result = [first, first.requires_grad, torch.autograd.grad(first.sum(), x)]

# case: by keyword
result = torch.autograd.grad(outputs=(x * 2).sum(), inputs=x)

# case: hooks are called
seen = []
x.register_hook(lambda gradient: seen.append(gradient))
torch.autograd.grad((x * 2).sum(), x)
result = seen

# error: no scalar
torch.autograd.grad(x * 2, x)

# error: not used and not allowed
torch.autograd.grad((x * 2).sum(), y)

# error: no gradient asked for
torch.autograd.grad((x * 2).sum(), torch.ones(2))

# error: nothing recorded
torch.autograd.grad(torch.ones(2).sum(), x)

# error: twice without keeping
z = (x * x).sum()
torch.autograd.grad(z, x)
torch.autograd.grad(z, x)

# error: weights of another shape
torch.autograd.grad(x * 2, x, torch.ones(3))
