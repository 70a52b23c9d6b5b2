import torch

# case: nothing moves
x = torch.arange(3.0)
raised = []
for device in (None, "cuda", "cuda:0", 0):
    try:
        x.cuda(device)
    except (AssertionError, RuntimeError):
        raised.append(device)
result = [raised, str(x.device), x.is_cuda]

# error: no device
torch.ones(2).cuda()

# error: a parameter
torch.nn.Parameter(torch.ones(2)).cuda("cuda:0")
