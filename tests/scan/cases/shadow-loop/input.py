import torch.distributed as dist

for dist in channels:
    dist.barrier()
