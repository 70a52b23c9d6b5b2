import torch.distributed as dist

dist.monitored_barrier(timeout=limit)
