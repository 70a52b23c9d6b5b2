import torch.distributed as dist

for op in (dist.ReduceOp.SUM, dist.ReduceOp.AVG, dist.ReduceOp.MAX):
    print(dist.supports_complex(op))
