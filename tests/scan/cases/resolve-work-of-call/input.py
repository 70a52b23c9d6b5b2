import torch.distributed as dist

work = dist.isend(tensor, 1)
work.wait()
