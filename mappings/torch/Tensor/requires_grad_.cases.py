import torch

# case: asked for and given up
x = torch.ones(3)
result = [x.requires_grad_() is x, x.requires_grad, x.requires_grad_(False) is x, x.requires_grad]

# case: by name
x = torch.ones(3).requires_grad_(requires_grad=True)
(x * 2).sum().backward()
result = [x.grad, x.is_leaf]

# error: whole numbers
torch.ones(3, dtype=torch.int64).requires_grad_()

# error: given up inside of the graph
(torch.ones(3, requires_grad=True) * 2).requires_grad_(False)
