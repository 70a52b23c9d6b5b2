import torch
import torch.distributed as dist

for each in backends:
    torch.abs(x)
    dist.barrier()
    torch = each
