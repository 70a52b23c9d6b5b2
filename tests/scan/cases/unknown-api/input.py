import torch

torch.cuda.memory_allocated()
torch.no_such_name()
torch._private.thing()
