import torch.distributed as dist
from torch.distributed import ReduceOp as Op

from ours import ReduceOp

dist.all_reduce(x, ReduceOp.MAX)
dist.all_reduce(x, op=Op.MAX)
