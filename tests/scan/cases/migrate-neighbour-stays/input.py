import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler

dist.barrier()
dist.monitored_barrier()
sampler = DistributedSampler(data)
