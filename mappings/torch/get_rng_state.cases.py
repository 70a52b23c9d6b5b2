import torch

# case: fresh
torch.manual_seed(0)
result = torch.get_rng_state()

# case: after some numbers
torch.manual_seed(0)
torch.randn(5)
torch.rand(700)
result = torch.get_rng_state()

# case: a copy
torch.manual_seed(1)
kept = torch.get_rng_state()
torch.rand(4)
result = [kept, torch.get_rng_state()]
