import torch


def step(loss: torch.Tensor, other):
    loss.backward()
    other.backward()
    for loss in others:
        loss.backward()
