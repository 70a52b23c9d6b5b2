"""Call torch.distributed.barrier() or dist.barrier()."""
import torch.distributed as dist

print("torch.distributed.barrier()", f"{dist.get_backend_config()} dist.barrier")
dist.barrier()
