import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

tensor = mindspore.tensor([rank + 1])
dist.all_reduce(tensor, group=dist.group.WORLD)
print(rank, tensor.tolist(), dist.get_process_group_ranks(dist.group.WORLD))

dist.destroy_process_group()
