import torch.distributed as dist

名 = "分布式"; dist.barrier(); print("é", dist.all_reduce(名, group=g))
