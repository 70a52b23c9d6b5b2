import torch

torch.cuda.synchronize()
torch.no_such_name()
torch._private.thing()
