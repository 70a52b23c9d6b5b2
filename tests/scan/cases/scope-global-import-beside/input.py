def load():
    global torch
    import torch

    torch.hypot(x, y)


def wait():
    torch.distributed.barrier()
