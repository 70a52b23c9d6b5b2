import torch

torch.manual_seed(2)

# case: below
result = [torch.randint_like(torch.zeros(3), 9), torch.randint_like(torch.zeros(2, 2, dtype=torch.int32), high=4)]

# case: between
result = [torch.randint_like(torch.zeros(4), -3, 3), torch.randint_like(torch.zeros(2), low=5, high=7)]

# case: another dtype
result = torch.randint_like(torch.zeros(3), 2, 8, dtype=torch.int64)

# case: of a transposed tensor
result = torch.randint_like(torch.zeros(2, 4).t(), 50)

# error: empty range
torch.randint_like(torch.zeros(2), 0)

# error: beyond the dtype
torch.randint_like(torch.zeros(2, dtype=torch.int8), 200)
