import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

tensors = [torch.tensor([rank + 1]), torch.tensor([10 * rank, 20 * rank])]
dist.all_reduce_coalesced(tensors)
print(rank, [tensor.tolist() for tensor in tensors])

dist.destroy_process_group()
