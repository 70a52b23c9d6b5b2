import torch.distributed as dist

backend = dist.Backend.NCCL
