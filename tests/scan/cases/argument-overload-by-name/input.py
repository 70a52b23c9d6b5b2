import torch


def move(x: torch.Tensor, y, sizes):
    x.to(y.device, y.dtype)
    x.to("cuda")
    x.to(device, dtype)
    x.to(y.dtype)
    x.view(2, *sizes)
