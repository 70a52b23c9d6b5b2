import torch
import torch.distributed as dist

dist.barrier()
torch.cuda.memory_allocated()
