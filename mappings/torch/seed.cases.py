import torch

# case: tells the seed
found = torch.seed()
result = [found == torch.initial_seed(), type(found).__name__]

# case: numbers can be had again
found = torch.seed()
first = torch.rand(3)
torch.manual_seed(found)
result = bool((torch.rand(3) == first).all())

# case: another one each time
result = torch.seed() == torch.seed()
