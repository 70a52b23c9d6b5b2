import torch

x = torch.tensor([1.0, 2.0]).requires_grad_()
y = torch.tensor([3.0, 5.0]).requires_grad_()

# case: one
torch.autograd.backward((x * y).sum())
result = [x.grad, y.grad]

# case: several
torch.autograd.backward([(x * 2).sum(), (x * y).sum()])
result = [x.grad, y.grad]

# case: weighted
torch.autograd.backward([x * y], [torch.tensor([1.0, 10.0])])
result = [x.grad, y.grad]

# case: added up
for _ in range(3):
    torch.autograd.backward((x * x).sum())
result = x.grad

# case: only some inputs
torch.autograd.backward((x * y).sum(), inputs=[x])
result = [x.grad, y.grad]

# case: kept
z = (x * x).sum()
torch.autograd.backward(z, retain_graph=True)
torch.autograd.backward(z)
result = x.grad

# case: gradients with a way back
torch.autograd.backward(x * x * x, torch.ones(2), create_graph=True)
result = [x.grad, x.grad.requires_grad]

# error: no scalar
torch.autograd.backward(x * 2)

# error: nothing recorded
torch.autograd.backward(torch.ones(1))

# error: twice
z = (x * x).sum()
torch.autograd.backward(z)
torch.autograd.backward(z)

# error: other number of weights
torch.autograd.backward([x.sum(), y.sum()], [torch.tensor(1.0)])

# error: no inputs
torch.autograd.backward(x.sum(), inputs=[])
