import torch.distributed as dist

if (dist := connect()) is not None:
    dist.barrier()
