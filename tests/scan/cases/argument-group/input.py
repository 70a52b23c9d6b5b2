import torch.distributed as dist

dist.barrier(group=None)
dist.barrier(group)
dist.barrier(group=dist.group.WORLD)
