import torch.distributed as dist

for each in listed:
    dist = each
dist.barrier()
