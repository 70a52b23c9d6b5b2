import torch

torch.manual_seed(6)
weights = torch.tensor([0.1, 3.0, 0.0, 2.0, 1.0])

# case: one
result = [torch.multinomial(weights, 1), torch.multinomial(weights, num_samples=1, replacement=True)]

# case: each at most once
result = [torch.multinomial(weights, 3), torch.multinomial(weights, 4)]

# case: with replacement
result = torch.multinomial(weights, 20, replacement=True)

# case: rows
result = [torch.multinomial(torch.rand(3, 6), 2), torch.multinomial(torch.rand(2, 6), 5, True)]

# case: dtypes
result = [torch.multinomial(weights.to(torch.float64), 3), torch.multinomial(weights.to(torch.float64), 6, True)]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.multinomial(weights, 2, generator=generator), torch.rand(2)]

# error: more than there are
torch.multinomial(weights, 6)

# error: no sample
torch.multinomial(weights, 0)

# error: whole numbers
torch.multinomial(torch.tensor([1, 2]), 1)

# error: a weight below nought
torch.multinomial(torch.tensor([1.0, -1.0]), 1)

# error: no weight
torch.multinomial(torch.zeros(3), 1)

# error: three dimensions
torch.multinomial(torch.ones(2, 2, 2), 1)
