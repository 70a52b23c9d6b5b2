try:
    import torch.distributed as dist
except ImportError:
    dist = None


def finish():
    if dist is not None and dist.is_available():
        dist.barrier()
