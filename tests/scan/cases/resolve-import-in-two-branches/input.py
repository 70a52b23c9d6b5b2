try:
    import torch
except ImportError:
    install()
    import torch

torch.abs(x)
torch.hypot(x, y)
torch.distributed.barrier()
