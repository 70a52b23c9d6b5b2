import torch

# case: same numbers again
torch.manual_seed(12)
first = torch.rand(3)
torch.manual_seed(12)
result = [first, torch.rand(3)]

# case: returns the generator
result = isinstance(torch.manual_seed(1), torch.Generator), torch.manual_seed(1).initial_seed()

# case: negative and large
torch.manual_seed(-3)
low = torch.initial_seed()
torch.manual_seed(2**64 - 1)
result = [low, torch.initial_seed()]

# case: whole part of a fraction
torch.manual_seed(2.9)
result = torch.initial_seed()

# case: by keyword
result = torch.manual_seed(seed=8).initial_seed()

# case: drops half a pair
torch.manual_seed(0)
torch.randn(1)
torch.manual_seed(0)
result = torch.randn(3)

# error: a word
torch.manual_seed("abc")

# error: too long
torch.manual_seed(2**64)
