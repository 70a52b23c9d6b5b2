import torch.distributed as dist

wait = lambda dist: dist.barrier()
now = lambda: dist.barrier()
