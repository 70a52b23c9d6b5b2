import torch


class Layer:
    torch = None
    made = [torch.abs(each) for each in (1, 2)]
    first = torch
    make = lambda value: torch.abs(value)
