import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

tensors = [mindspore.tensor([rank + 1]), mindspore.tensor([10 * rank, 20 * rank])]
for tensor in tensors:
    dist.all_reduce(tensor)
print(rank, [tensor.tolist() for tensor in tensors])

dist.destroy_process_group()
