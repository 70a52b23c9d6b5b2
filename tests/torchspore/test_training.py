"""Layers and optimisers together, in one process: what is loaded into a layer is what its optimiser goes on with."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import torchspore
from torchspore.nn import Linear
from torchspore.optim import Adam

pytestmark = pytest.mark.frameworks


def test_an_optimiser_goes_on_with_a_state_that_was_loaded() -> None:
    """An optimiser keeps the parameters that it was given; it must not go on with the memory of before."""
    layer, reference = Linear(3, 2), torch.nn.Linear(3, 2)
    adam, torch_adam = Adam(layer.parameters(), lr=0.1), torch.optim.Adam(reference.parameters(), lr=0.1)
    shapes = [tuple(parameter.shape) for parameter in reference.parameters()]
    for value in (0.5, -2.0, 3.0):
        state = {"weight": np.full(shapes[0], value, np.float32), "bias": np.full(shapes[1], value, np.float32)}
        layer.load_state_dict({name: torchspore.from_numpy(array) for name, array in state.items()})
        reference.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})
        for library, model in ((torch, reference), (torchspore, layer)):
            for parameter, shape in zip(model.parameters(), shapes, strict=True):
                parameter.grad = library.full(shape, value)
        torch_adam.step()
        adam.step()
        for name, tensor in reference.state_dict().items():
            assert np.allclose(layer.state_dict()[name].numpy(), tensor.numpy(), rtol=1e-5), (value, name)
