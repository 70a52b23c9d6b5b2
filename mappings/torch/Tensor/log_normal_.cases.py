import torch

torch.manual_seed(3)

# case: means and deviations of the logarithm
result = [
    torch.zeros(7).log_normal_(),
    torch.zeros(2, 9).log_normal_(0, 0.5),
    torch.zeros(4).log_normal_(std=1, mean=-1),
]

# case: dtypes
result = [torch.zeros(5, dtype=each).log_normal_(0, 0.5) for each in (torch.float64, torch.float16, torch.bfloat16)]

# case: memory in another order
result = [
    torch.zeros(3, 20).t().log_normal_(0, 0.5),
    torch.zeros(4, 6)[:, ::2].log_normal_(0, 0.5),
    torch.zeros(2, 3, 4).permute(1, 2, 0).log_normal_(0, 0.5),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.zeros(5).log_normal_(0, 0.5, generator=generator), torch.rand(2)]

# case: the same tensor, and views of it
whole = torch.zeros(4, 5)
part = whole[1]
result = [part.log_normal_(0, 0.5) is part, whole]

# case: what was there has no gradient
x = torch.ones(3, requires_grad=True)
y = x * 2
y[1:].log_normal_(0, 0.5)
y.sum().backward()
result = [x.grad, y.requires_grad]

# case: nothing
result = torch.zeros(0, 3).log_normal_(0, 0.5)

# error: a leaf that wants a gradient
torch.zeros(3, requires_grad=True).log_normal_(0, 0.5)

# error: one memory for several elements
torch.zeros(1).expand(3).log_normal_(0, 0.5)

# error: no deviation
torch.zeros(2).log_normal_(0, 0)

# error: whole numbers
torch.zeros(2, dtype=torch.int64).log_normal_()
