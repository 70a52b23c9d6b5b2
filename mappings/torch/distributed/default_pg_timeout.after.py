import torchspore.distributed as dist

print(dist.default_pg_timeout)
