import torch

# case: goes on from there
torch.manual_seed(2)
torch.rand(3)
kept = torch.get_rng_state()
first = [torch.rand(2), torch.randn(3), torch.randint(9, (2,))]
torch.set_rng_state(kept)
result = [first, [torch.rand(2), torch.randn(3), torch.randint(9, (2,))]]

# case: keeps half a pair
torch.manual_seed(3)
torch.randn(1)
kept = torch.get_rng_state()
torch.manual_seed(99)
torch.set_rng_state(kept)
result = torch.randn(3)

# case: of another generator
torch.set_rng_state(torch.Generator().manual_seed(5).get_state())
result = [torch.rand(2), torch.initial_seed()]

# error: too short
torch.set_rng_state(torch.zeros(4, dtype=torch.uint8))

# error: no bytes
torch.set_rng_state(torch.zeros(5056))
