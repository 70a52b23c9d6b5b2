import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

dist.barrier()
print(rank, "every rank is here")

dist.destroy_process_group()
