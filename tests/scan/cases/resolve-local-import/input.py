def connect():
    import torch.distributed as dist

    dist.barrier()


dist.barrier()
