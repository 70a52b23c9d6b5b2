import torch.distributed as dist


def wait(dist):
    dist.barrier()


def wait_too(*dist, **F):
    dist.barrier()
