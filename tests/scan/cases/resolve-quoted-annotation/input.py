import torch
import torch.distributed as dist


def total(tensor: "torch.Tensor", group: "dist.ProcessGroup | None" = None, way: "Literal['torch']" = "x") -> "float":
    dist.all_reduce(tensor, group=group)
    return tensor.item()
