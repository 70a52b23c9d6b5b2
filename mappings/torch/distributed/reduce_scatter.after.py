import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

input_list = [mindspore.tensor([rank + position, 10 * position]) for position in range(size)]
output = mindspore.ops.zeros_like(input_list[rank])
dist.reduce_scatter(output, input_list)
print(rank, output.tolist())

dist.destroy_process_group()
