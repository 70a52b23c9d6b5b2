import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

tensor = torch.tensor([rank, 10 * rank])
gather_list = [torch.zeros_like(tensor) for _ in range(size)] if rank == 0 else None
dist.gather(tensor, gather_list, dst=0)
print(rank, [received.tolist() for received in gather_list or []])

dist.destroy_process_group()
