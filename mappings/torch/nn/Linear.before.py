import torch
import torch.nn as nn

layer = nn.Linear(2, 3)
layer.load_state_dict(
    {
        "weight": torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        "bias": torch.tensor([0.0, 0.0, 0.5]),
    }
)
print(layer(torch.tensor([[1.0, 2.0]])).tolist())
