import torch.distributed as dist

match channel:
    case {"kind": dist}:
        dist.barrier()
