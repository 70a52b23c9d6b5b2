import torch

torch.manual_seed(8)

# case: means and deviations
result = [torch.normal(torch.arange(3.0), torch.ones(3)), torch.normal(torch.zeros(2, 1), torch.ones(3))]

# case: one deviation
result = [
    torch.normal(torch.arange(4.0), 0.5),
    torch.normal(torch.arange(20.0)),
    torch.normal(mean=torch.zeros(2), std=2.0),
]

# case: one mean
result = [torch.normal(2.0, torch.arange(1.0, 4.0)), torch.normal(std=torch.ones(2), mean=-1.0)]

# case: in a shape
result = [torch.normal(1.0, 2.0, (3,)), torch.normal(0.0, 1.0, size=(4, 5)), torch.normal(0, 1, (2,))]

# case: dtypes
result = [
    torch.normal(torch.zeros(3, dtype=torch.float64), torch.ones(3)),
    torch.normal(0.0, 1.0, (2,), dtype=torch.float64),
]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.normal(torch.zeros(3), 1.0, generator=generator), torch.rand(2)]

# case: no deviation
result = torch.normal(torch.arange(3.0), torch.zeros(3))

# error: a deviation below nought
torch.normal(torch.zeros(2), -1.0)

# error: one deviation below nought
torch.normal(torch.zeros(2), torch.tensor([1.0, -1.0]))

# error: shapes do not fit
torch.normal(torch.zeros(2), torch.ones(3))

# error: whole numbers
torch.normal(torch.zeros(2, dtype=torch.int64), 1.0)
