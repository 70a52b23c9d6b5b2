from torch import distributed as dist
