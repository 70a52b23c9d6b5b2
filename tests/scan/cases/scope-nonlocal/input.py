def connect():
    import torch.distributed as dist

    def forget():
        nonlocal dist
        dist = None

    def swap():
        nonlocal dist
        dist = other()

    def wait():
        dist.barrier()
