import torch

match x:
    case {"a": torch}:
        torch.abs(x)
    case [torch.Size(), *_]:
        torch.abs(x)
torch.abs(x)
