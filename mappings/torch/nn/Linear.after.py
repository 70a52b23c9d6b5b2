import mindspore
import torchspore.nn as nn

layer = nn.Linear(2, 3)
layer.load_state_dict(
    {
        "weight": mindspore.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]),
        "bias": mindspore.tensor([0.0, 0.0, 0.5]),
    }
)
print(layer(mindspore.tensor([[1.0, 2.0]])).tolist())
