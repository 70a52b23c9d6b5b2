import mindspore
import torchspore.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

layer = mindspore.nn.Dense(2, 1, weight_init=mindspore.common.initializer.Constant(rank + 1))
weights = layer.trainable_params()
for weight in weights:  # all ranks go on with the weights of rank 0
    dist.broadcast(weight, src=0)

inputs = mindspore.tensor([[1.0, 2.0]]) * (rank + 1)
with_gradients = mindspore.value_and_grad(lambda inputs: layer(inputs).sum(), None, weights)
loss, gradients = with_gradients(inputs)
for gradient in gradients:
    dist.all_reduce(gradient, op=dist.ReduceOp.AVG)
print(rank, weights[0].tolist(), gradients[0].tolist())

dist.destroy_process_group()
