import torch

# case: leaves no trace
torch.manual_seed(1)
with torch.random.fork_rng():
    inside = torch.rand(3)
result = [inside, torch.rand(3)]

# case: another seed inside
torch.manual_seed(1)
with torch.random.fork_rng(devices=[]):
    torch.manual_seed(2)
    inside = torch.randn(2)
result = [inside, torch.randn(2)]

# case: turned off
torch.manual_seed(1)
with torch.random.fork_rng(enabled=False):
    torch.rand(3)
result = torch.rand(3)

# case: after an error
torch.manual_seed(4)
try:
    with torch.random.fork_rng():
        torch.rand(3)
        raise ValueError
except ValueError:
    pass
result = torch.rand(2)
