import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

inputs = [mindspore.tensor([rank + 1]), mindspore.tensor([10 * rank, 20 * rank])]
outputs = [[mindspore.ops.zeros_like(tensor) for tensor in inputs] for _ in range(size)]
for place, tensor in enumerate(inputs):
    dist.all_gather([received[place] for received in outputs], tensor)
print(rank, [[tensor.tolist() for tensor in received] for received in outputs])

dist.destroy_process_group()
