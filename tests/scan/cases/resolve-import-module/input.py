import torch.distributed

torch.distributed.barrier()
