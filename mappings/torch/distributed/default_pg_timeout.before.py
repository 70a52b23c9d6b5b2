import torch.distributed as dist

print(dist.default_pg_timeout)
