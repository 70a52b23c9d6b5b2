import torch

x = torch.ones(2, dtype=torch.float64)

# case: shape and dtype
made = [x.new_empty(3), x.new_empty((2, 3)), x.new_empty(2, 0), x.new_empty([4], dtype=torch.int32)]
result = [(each.shape, str(each.dtype), each.requires_grad) for each in made]

# case: a gradient may be wanted
made = x.new_empty(2, requires_grad=True)
result = [made.requires_grad, made.is_leaf]

# case: memory of its own
made = x.new_empty(2)
made.fill_(7)
result = [x, made]

# error: a negative length
x.new_empty(-1)
