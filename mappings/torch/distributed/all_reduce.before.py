import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

tensor = torch.tensor([rank + 1, 10 * (rank + 1)])
dist.all_reduce(tensor, op=dist.ReduceOp.SUM)
print(rank, tensor.tolist())

dist.destroy_process_group()
