import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()

largest, product = torch.tensor([rank + 2]), torch.tensor([rank + 2])
dist.all_reduce(largest, op=dist.ReduceOp.MAX)
dist.all_reduce(product, op=dist.ReduceOp.PRODUCT)
print(rank, largest.tolist(), product.tolist())

dist.destroy_process_group()
