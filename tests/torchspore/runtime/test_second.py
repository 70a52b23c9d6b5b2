"""Second derivatives: right through the steps that are listed as right, refused through all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from sides import pair, values_of

from torchspore._runtime.autograd.engine import grad
from torchspore._runtime.autograd.function import Function
from torchspore._runtime.autograd.second import NoSecondDerivative

pytestmark = pytest.mark.frameworks

VALUES = np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3) + 0.05
RIGHT: dict[str, Callable[[Any], Any]] = {
    "mul": lambda x: x * x * x,
    "row": lambda x: x * x[0] + x,
    "add": lambda x: (x + x[1]) * (x + 2) * (1 + x),
    "sub": lambda x: (x - x[1] * x) * (x - 2) * (3 - x),
    "div": lambda x: x / (x * x + 1) + 2 / (x + 3) + x * x / 3,
    "pow": lambda x: x**3 + (x * x + 1) ** -0.5,
    "exponential": lambda x: x.exp() * x.sin() + x.cos(),
    "roots": lambda x: (x * x + 1).sqrt() + (x * x + 2).rsqrt() + (x * x + 1).log(),
    "sigmoid": lambda x: x.sigmoid() * x,
    "absolute": lambda x: x.abs() * x + (-x) * x,
    "relu": lambda x: x.relu() * x,
    "limits": lambda x: (x * x).clamp(0.2, 2.0) * x,
    "slices": lambda x: x[:, 1:] * x[:, :2] * x[1, 2],
    "reciprocal": lambda x: (x * x + 1).reciprocal(),
    "cast": lambda x: (x.double() * x.double()).float() * x,
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "transpose": lambda x: x.t() * x.t() * x.t(),
    "reshape": lambda x: (x * x * x).reshape(3, 2),
    "expand": lambda x: (x * x * x).expand(2, 2, 3),
    "sum": lambda x: (x * x).sum(0) * x,
    "matmul": lambda x: x @ x.t() @ x,
    "list": lambda x: (x * x * x)[[1, 0, 1]],
    "tanh": lambda x: x.tanh() * x,
    "written": lambda x: written(x),
    "function": lambda x: Square.apply(x) * x,
}


class Square(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return 2 * ctx.saved_tensors[0] * gradient


def written(x: Any) -> Any:
    y = x * x
    y[0] = y[1].clone() * x[0]
    y[1].mul_(2)
    y.mul_(x)
    return y


def twice(x: Any, differentiate: Any, function: Callable[[Any], Any], ones: Any) -> Any:
    y = function(x)
    (first,) = differentiate(y, x, ones(y), create_graph=True)
    (second,) = differentiate(first * first, x, ones(first))
    return first.detach(), second


def ones_of(tensor: Any) -> Any:
    return tensor.detach().new_ones(tuple(tensor.shape))


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    theirs, ours = pair(VALUES, True)
    expected = twice(theirs, torch.autograd.grad, RIGHT[name], ones_of)
    found = twice(ours, grad, RIGHT[name], ones_of)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(values_of(other), values_of(one), rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_rather_than_wrong(name: str) -> None:
    _, ours = pair(VALUES, True)
    with pytest.raises(NoSecondDerivative, match="create_graph"):
        twice(ours, grad, REFUSED[name], ones_of)
