import torch.distributed as dist

mindspore = "a name of our own"
dist.barrier()
