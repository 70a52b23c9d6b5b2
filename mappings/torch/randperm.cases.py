import torch

torch.manual_seed(9)

# case: some
result = [torch.randperm(7), torch.randperm(1), torch.randperm(0), torch.randperm(n=4)]

# case: dtypes
result = [torch.randperm(5, dtype=each) for each in (torch.int32, torch.float64, torch.uint8)]

# case: a generator of its own
generator = torch.Generator().manual_seed(4)
result = [torch.randperm(6, generator=generator), torch.randperm(6)]

# case: as an index
result = torch.arange(5)[torch.randperm(5)]

# case: many
result = torch.randperm(3000)

# error: less than nothing
torch.randperm(-1)

# error: more than the dtype holds
torch.randperm(300, dtype=torch.uint8)
