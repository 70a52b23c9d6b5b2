dist = None


def connect():
    global dist
    import torch.distributed as dist


def wait():
    dist.barrier()
