import torch

# case: as seeded
torch.manual_seed(41)
result = torch.initial_seed()

# case: drawing does not change it
torch.manual_seed(6)
torch.rand(10)
result = torch.initial_seed()
