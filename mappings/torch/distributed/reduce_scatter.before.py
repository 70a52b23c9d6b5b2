import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

input_list = [torch.tensor([rank + position, 10 * position]) for position in range(size)]
output = torch.zeros_like(input_list[rank])
dist.reduce_scatter(output, input_list)
print(rank, output.tolist())

dist.destroy_process_group()
