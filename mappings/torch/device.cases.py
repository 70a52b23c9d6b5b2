import torch

# case: by name and by parts
made = [torch.device("cpu"), torch.device("cpu", 0), torch.device("cpu:0")]
result = [[str(each), each.type, each.index, repr(each)] for each in made]

# case: equality
result = [
    torch.device("cpu") == torch.device("cpu"),
    torch.device("cpu") == torch.device("cpu:0"),
    hash(torch.device("cpu")) == hash(torch.device("cpu")),
    torch.ones(1).device == torch.device("cpu"),
]

# case: as an argument
result = [
    torch.ones(2, device=torch.device("cpu")).sum().item(),
    str(torch.ones(1).to(torch.device("cpu")).device),
]

# error: no such device
torch.device("abacus")
