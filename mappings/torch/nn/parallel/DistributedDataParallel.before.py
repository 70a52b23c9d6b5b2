import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank = dist.get_rank()

layer = torch.nn.Linear(2, 1)
torch.nn.init.constant_(layer.weight, rank + 1)
model = DistributedDataParallel(layer)  # all ranks go on with the weights of rank 0

inputs = torch.tensor([[1.0, 2.0]]) * (rank + 1)
model(inputs).sum().backward()
print(rank, layer.weight.tolist(), layer.weight.grad.tolist())

dist.destroy_process_group()
