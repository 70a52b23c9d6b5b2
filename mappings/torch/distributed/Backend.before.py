import torch.distributed as dist

backend = dist.Backend("GLOO")
print(backend, backend == dist.Backend.GLOO, dist.Backend.NCCL)
