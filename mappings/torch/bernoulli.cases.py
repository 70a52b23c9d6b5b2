import torch

torch.manual_seed(3)

# case: a probability each
result = [torch.bernoulli(torch.tensor([0.0, 0.2, 0.8, 1.0])), torch.bernoulli(torch.rand(3, 4))]

# case: dtypes
result = [
    torch.bernoulli(torch.tensor([0.5] * 6, dtype=each)) for each in (torch.float64, torch.float16, torch.bfloat16)
]

# case: one probability
result = [torch.bernoulli(torch.zeros(8), 0.5), torch.bernoulli(torch.zeros(5, dtype=torch.int64), p=0.5)]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.bernoulli(torch.full((5,), 0.5), generator=generator), torch.rand(2)]

# case: of a transposed tensor
result = torch.bernoulli(torch.full((2, 5), 0.5).t())

# case: nothing
result = torch.bernoulli(torch.zeros(0))

# error: above one
torch.bernoulli(torch.tensor([0.5, 1.5]))

# error: below nought
torch.bernoulli(torch.zeros(2), -0.1)

# error: whole numbers
torch.bernoulli(torch.tensor([0, 1]))
