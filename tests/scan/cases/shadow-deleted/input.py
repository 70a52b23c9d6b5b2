import torch.distributed as dist

dist.barrier()
del dist
dist.barrier()
