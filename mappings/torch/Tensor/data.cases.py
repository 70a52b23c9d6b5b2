import torch

# case: the same memory
x = torch.ones(3, requires_grad=True)
x.data.mul_(2)
x.data[0] = 5
result = [x, x.requires_grad, x.data.requires_grad, x.data.is_leaf]

# case: a step by hand
x = torch.ones(3, requires_grad=True)
(x * x).sum().backward()
x.data -= 0.1 * x.grad.data
result = [x, x.grad]

# case: assigned
x = torch.ones(3, requires_grad=True)
x.data = torch.tensor([1.0, 2.0])
(x * 3).sum().backward()
result = [x, x.grad, x.is_leaf]
