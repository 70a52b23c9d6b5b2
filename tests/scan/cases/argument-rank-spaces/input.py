import torch.distributed as dist

dist.broadcast(tensor, 0)
dist.broadcast(tensor, group=group, group_src=1)
