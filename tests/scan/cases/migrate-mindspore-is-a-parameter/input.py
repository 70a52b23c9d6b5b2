import torch


def absolute(mindspore):
    return torch.abs(mindspore)


smallest = lambda mindspore: torch.argmin(mindspore)
