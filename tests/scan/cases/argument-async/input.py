import torch.distributed as dist

dist.all_gather(tensors, tensor, async_op=True)
dist.all_gather(tensors, tensor, async_op=False)
dist.all_gather(tensors, tensor, async_op=later)
