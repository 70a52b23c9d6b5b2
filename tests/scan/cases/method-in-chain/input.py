import torch

y = (
    torch.arange(4)
    .view(2, 2)
    .repeat(2, 2)  # twice
    .view(-1)  # mapspore: ignore[S112]
)
