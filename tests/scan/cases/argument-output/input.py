import torch.distributed as dist

dist.gather(tensor, tensors)
dist.gather(tensor, tensors, dst=1, async_op=True)
