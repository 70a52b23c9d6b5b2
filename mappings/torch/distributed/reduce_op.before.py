import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

tensor = torch.tensor([rank + 1])
dist.all_reduce(tensor, op=dist.reduce_op.MAX)
print(rank, tensor.tolist())

dist.destroy_process_group()
