import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

inputs = [torch.tensor([rank + 1]), torch.tensor([10 * rank, 20 * rank])]
outputs = [[torch.zeros_like(tensor) for tensor in inputs] for _ in range(size)]
dist.all_gather_coalesced(outputs, inputs)
print(rank, [[tensor.tolist() for tensor in received] for received in outputs])

dist.destroy_process_group()
