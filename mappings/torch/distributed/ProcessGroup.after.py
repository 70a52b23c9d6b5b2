import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

group = dist.new_group([0, 1])
print(rank, isinstance(group, dist.ProcessGroup), group.rank(), group.size())

dist.destroy_process_group()
