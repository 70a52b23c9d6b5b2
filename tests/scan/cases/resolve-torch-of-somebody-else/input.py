from .torch import distributed
from . import torch

distributed.barrier()
torch.distributed.barrier()
