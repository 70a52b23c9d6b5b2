import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

own, every = dist.new_subgroups_by_enumeration([[1], [0]])
tensor = torch.tensor([rank + 1])
dist.all_reduce(tensor, group=own)
print(rank, tensor.tolist(), dist.get_process_group_ranks(own), len(every))

dist.barrier()  # rank 0 stays until all groups are connected
dist.destroy_process_group()
