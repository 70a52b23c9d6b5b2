import torch.distributed as dist

dist.scatter(tensor)
dist.scatter(tensor, None, 0)
dist.scatter(tensor, tensors, 0)
