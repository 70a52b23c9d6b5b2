"""Layers and optimisers together, in one process: what is loaded into a layer is what its optimiser goes on with."""

from __future__ import annotations

import mindspore
import numpy as np
import pytest
import torch

from torchspore.nn import Linear
from torchspore.optim import Adam

pytestmark = pytest.mark.frameworks


def test_an_optimiser_goes_on_with_a_state_that_was_loaded() -> None:
    """MindSpore compiles an optimiser at its first step; it must not go on with the memory of before."""
    layer, reference = Linear(3, 2), torch.nn.Linear(3, 2)
    adam, torch_adam = Adam(layer.trainable_params(), lr=0.1), torch.optim.Adam(reference.parameters(), lr=0.1)
    shapes = [tuple(parameter.shape) for parameter in reference.parameters()]
    for value in (0.5, -2.0, 3.0):
        state = {"weight": np.full(shapes[0], value, np.float32), "bias": np.full(shapes[1], value, np.float32)}
        layer.load_state_dict(state)
        reference.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})
        for parameter, shape in zip(reference.parameters(), shapes, strict=True):
            parameter.grad = torch.full(shape, value)
        torch_adam.step()
        adam.step(tuple(mindspore.Tensor(np.full(shape, value, np.float32)) for shape in shapes))
        for name, tensor in reference.state_dict().items():
            assert np.allclose(layer.state_dict()[name].asnumpy(), tensor.numpy(), rtol=1e-5), (value, name)
