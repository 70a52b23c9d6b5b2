import torch.distributed as dist

dist.broadcast(tensor, src=0)
