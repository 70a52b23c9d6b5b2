import torch.distributed as dist
from torch.distributed import ReduceOp

dist.all_reduce(tensor, dist.ReduceOp.MAX)
dist.all_reduce(tensor, op=ReduceOp.PRODUCT)
dist.all_reduce(tensor, op=ReduceOp.AVG)
dist.all_reduce(tensor, op=chosen)
