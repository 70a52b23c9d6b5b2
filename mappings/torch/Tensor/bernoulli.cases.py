import torch

torch.manual_seed(3)

# case: by its elements
result = [torch.tensor([0.0, 0.2, 0.8, 1.0]).bernoulli(), torch.rand(3, 4).bernoulli()]

# case: by one probability
result = [torch.zeros(8).bernoulli(0.5), torch.zeros(5, dtype=torch.int64).bernoulli(p=0.5)]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.full((5,), 0.5).bernoulli(generator=generator), torch.rand(2)]

# error: above one
torch.tensor([0.5, 1.5]).bernoulli()

# error: whole numbers
torch.tensor([0, 1]).bernoulli()
