try:
    from torch.distributed import barrier
except ImportError:
    from elsewhere import barrier

barrier()
