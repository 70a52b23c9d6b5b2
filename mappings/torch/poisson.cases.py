import torch

torch.manual_seed(1)

# case: small rates
result = torch.poisson(torch.tensor([0.0, 0.5, 1.0, 4.0, 9.9]))

# case: large rates
result = torch.poisson(torch.tensor([[10.0, 25.0], [100.0, 5000.0]]))

# case: dtypes
result = [torch.poisson(torch.tensor([3.0] * 4, dtype=each)) for each in (torch.float64, torch.float16)]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.poisson(torch.full((4,), 2.0), generator=generator), torch.rand(2)]

# error: below nought
torch.poisson(torch.tensor([-1.0]))

# error: whole numbers
torch.poisson(torch.tensor([1, 2]))
