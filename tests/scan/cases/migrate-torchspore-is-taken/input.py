import torch

torchspore = "a name of our own"
torch.hypot(x, y)
torch.distributed.barrier()
