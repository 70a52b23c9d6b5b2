import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

dist.monitored_barrier()
print(rank, "every rank is here")

dist.destroy_process_group()
