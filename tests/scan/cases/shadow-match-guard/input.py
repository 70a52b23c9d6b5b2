import torch

match x:
    case [torch, size] if size > 3:
        pass
    case _:
        torch.abs(x)
