import torch

# case: same seed same numbers
one, other = torch.Generator().manual_seed(17), torch.Generator().manual_seed(17)
result = [torch.rand(3, generator=one), torch.rand(3, generator=other), torch.rand(2, generator=one)]

# case: never seeded
generator = torch.Generator()
result = [generator.initial_seed(), torch.randint(100, (5,), generator=generator)]

# case: seeds are told
generator = torch.Generator()
generator.manual_seed(-1)
result = [generator.initial_seed(), generator.manual_seed(2**63).initial_seed()]

# case: state goes back and forth
generator = torch.Generator().manual_seed(3)
torch.randn(20, generator=generator)
state = generator.get_state()
first = torch.randn(3, generator=generator)
generator.set_state(state)
result = [first, torch.randn(3, generator=generator), state.dtype, list(state.shape)]

# case: the state itself
generator = torch.Generator().manual_seed(3)
torch.rand(7, generator=generator)
result = generator.get_state()

# case: independent of the default one
torch.manual_seed(5)
torch.rand(4, generator=torch.Generator().manual_seed(1))
result = torch.rand(2)

# case: on a processor
result = str(torch.Generator().device), str(torch.Generator(device="cpu").device)

# case: a seed nobody knows
generator = torch.Generator()
found = generator.seed()
result = [found == generator.initial_seed(), 0 <= found < 2**64]

# case: a copy of the state
generator = torch.Generator().manual_seed(4)
other = generator.clone_state()
result = [torch.rand(2, generator=other), torch.rand(2, generator=generator)]

# error: a seed that is too long
torch.Generator().manual_seed(2**64)

# error: no state
torch.Generator().set_state(torch.zeros(3))
