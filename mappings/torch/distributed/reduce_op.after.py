import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

tensor = mindspore.tensor([rank + 1])
dist.all_reduce(tensor, op=dist.reduce_op.MAX)
print(rank, tensor.tolist())

dist.destroy_process_group()
