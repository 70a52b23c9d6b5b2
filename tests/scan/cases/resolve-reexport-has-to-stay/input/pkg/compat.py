import torch.distributed as dist

dist.barrier()
