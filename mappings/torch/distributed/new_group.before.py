import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

first = dist.new_group([0])  # every rank calls it, whether it is a member or not
tensor = torch.tensor([rank + 1])
dist.all_reduce(tensor, group=first)
print(rank, tensor.tolist(), dist.get_rank(first))

dist.destroy_process_group()
