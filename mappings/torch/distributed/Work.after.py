import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

tensor = mindspore.tensor([rank + 1])
work = dist.all_reduce(tensor, async_op=True)
work.wait()  # only now the tensor holds the sum
print(rank, work.is_completed(), tensor.tolist())

dist.destroy_process_group()
