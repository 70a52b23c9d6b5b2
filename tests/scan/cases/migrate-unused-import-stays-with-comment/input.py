# how processes talk
import torch.distributed as dist
import torch.nn.functional as F

__all__ = ["F"]
dist.barrier()
F.leaky_relu(x, 0.2)
