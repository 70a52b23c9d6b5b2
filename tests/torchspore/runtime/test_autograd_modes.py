"""Modes of recording and own functions, against torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import VALUES, same
from sides import values_of

from torchspore._runtime.autograd import function, modes
from torchspore._runtime.tensor import from_numpy

pytestmark = pytest.mark.frameworks


def modes_nested(T: Any) -> Any:
    x, said = T.tensor(VALUES, True), [T.is_grad_enabled()]
    with T.no_grad():
        said.append((x * 2).requires_grad)
        said.append(x[0].requires_grad)
        said.append(x.t().requires_grad)
        with T.enable_grad():
            said.append((x * 2).requires_grad)
        with T.set_grad_enabled(True):
            said.append((x * 2).requires_grad)
        said.append(T.is_grad_enabled())
    try:
        with T.no_grad():
            raise KeyError
    except KeyError:
        said.append(T.is_grad_enabled())
    with T.inference_mode():
        said.append((x * 2).requires_grad)
    T.set_grad_enabled(False)
    said.append(T.is_grad_enabled())
    T.set_grad_enabled(True)
    said.append((x > 0).requires_grad)
    return said


def modes_decorating(T: Any) -> Any:
    x, said = T.tensor(VALUES, True), []

    @T.no_grad()
    def plain() -> Any:
        return (x * 2).requires_grad

    @T.no_grad
    def bare() -> Any:
        return (x * 2).requires_grad

    @T.no_grad()
    def generator() -> Any:
        got = yield (x * 2).requires_grad
        yield got
        yield (x * 2).requires_grad

    running = generator()
    said += [
        plain(),
        bare(),
        next(running),
        T.is_grad_enabled(),
        running.send("sent"),
        next(running),
        T.is_grad_enabled(),
    ]
    return said


def own_function(T: Any) -> Any:
    class Cube(T.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any, factor: float) -> Any:
            ctx.save_for_backward(x, y)
            ctx.factor = factor
            flags = (x > 0).to(x.dtype)
            ctx.mark_non_differentiable(flags)
            return x * y * factor, flags, x + 1

        @staticmethod
        def backward(ctx: Any, g: Any, _: Any, h: Any) -> Any:
            x, y = ctx.saved_tensors
            asked.append(ctx.needs_input_grad)
            return g * y * ctx.factor + h, g * x * ctx.factor if ctx.needs_input_grad[1] else None, None

    asked: list[Any] = []
    x, y = T.tensor(VALUES, True), T.tensor(VALUES + 1, True)
    a, flags, b = Cube.apply(x, y, 3.0)
    (g,) = T.grad((a * a).sum() + b.sum(), x, retain_graph=True)
    (a * b).sum().backward()
    a, _, _ = Cube.apply(x, y.detach(), 2.0)
    a.sum().backward()
    return a, flags, flags.requires_grad, b.requires_grad, g, x.grad, y.grad, asked


def own_function_changed(T: Any) -> Any:
    class Square(T.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return 2 * ctx.saved_tensors[0] * g

    x = T.tensor(VALUES, True)
    y = x * 1
    z = Square.apply(y)
    y.add_(1)
    z.sum().backward()


PROGRAMS = [
    modes_nested,
    modes_decorating,
    own_function,
    own_function_changed,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_program(program: Any) -> None:
    same(program)


def test_once_differentiable_runs_unrecorded() -> None:
    class Square(function.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @function.once_differentiable
        def backward(ctx: Any, g: Any) -> Any:
            assert not modes.is_grad_enabled()
            return 2 * ctx.saved_tensors[0] * g

    x = from_numpy(VALUES.copy(), True)
    Square.apply(x).sum().backward()
    np.testing.assert_allclose(values_of(x.grad), 2 * VALUES)
