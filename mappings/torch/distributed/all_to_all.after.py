import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()

input_tensor_list = [mindspore.tensor([rank, receiver]) for receiver in range(size)]
output_tensor_list = [mindspore.ops.zeros_like(tensor) for tensor in input_tensor_list]
dist.all_to_all(output_tensor_list, input_tensor_list)
print(rank, [received.tolist() for received in output_tensor_list])

dist.destroy_process_group()
