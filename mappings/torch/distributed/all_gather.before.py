import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

tensor = torch.tensor([rank, 10 * rank])
tensor_list = [torch.zeros_like(tensor) for _ in range(size)]
dist.all_gather(tensor_list, tensor)
print(rank, [received.tolist() for received in tensor_list])

dist.destroy_process_group()
