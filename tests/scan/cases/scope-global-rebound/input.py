import torch


def swap():
    global torch
    torch = ours


swap()
torch.abs(x)
