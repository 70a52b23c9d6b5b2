import torch.distributed as dist

dist.all_reduce(*args)
dist.all_reduce(tensor, **kwargs)
dist.all_reduce(tensor, dist.ReduceOp.SUM, None, **kwargs)
