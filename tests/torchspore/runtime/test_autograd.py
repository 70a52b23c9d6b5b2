"""The engine against torch: accumulation, strided gradients, second derivatives, hooks."""

from __future__ import annotations

from typing import Any

import mindspore
import numpy as np
import pytest
from engines import VALUES, same
from sides import values_of

from torchspore._runtime.autograd import function
from torchspore._runtime.tensor import from_numpy, wrap

pytestmark = pytest.mark.frameworks


def twice(T: Any) -> Any:
    w, x = T.tensor(VALUES, True), T.tensor(VALUES[:, :2] + 3)
    for _ in range(3):
        (x.t() @ (w * w).t().t().sin()).sum().backward()
        (x @ x.t() @ w).t().square().sum().backward()
    return w.grad, w.grad.is_contiguous()


def strided_twice(T: Any) -> Any:
    x, other = T.tensor(VALUES, True), T.tensor(VALUES.T * 10)
    for _ in range(2):
        (x.t() * other).sum().backward()
    return (x.grad,)


def grad_keeps_identity(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    return first, x.grad is first, x.grad


def double(T: Any) -> Any:
    x, ones = T.tensor(VALUES, True), T.tensor(np.ones((2, 3), np.float32))
    (g,) = T.grad((x * x * x).sin(), x, ones, create_graph=True)
    (h,) = T.grad(g * g, x, ones, create_graph=True)
    h.backward(ones)
    return g.detach(), h.detach(), x.grad


def backward_twice(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = (x * x).sum()
    y.backward()
    y.backward()


def retained(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    return (x.grad,)


def inner_gradients(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 2
    z = y * y
    return T.grad(z.sum(), (y, x, z))


def unused(T: Any) -> Any:
    x, y = T.tensor(VALUES, True), T.tensor(VALUES, True)
    return T.grad((x * x).sum(), (x, y), allow_unused=True)


def unused_refused(T: Any) -> Any:
    x, y = T.tensor(VALUES, True), T.tensor(VALUES, True)
    return T.grad((x * x).sum(), (x, y))


def materialized(T: Any) -> Any:
    x, y = T.tensor(VALUES, True), T.tensor(VALUES, True)
    return T.grad((x * x).sum(), (x, y), materialize_grads=True)


def some_inputs(T: Any) -> Any:
    x, y = T.tensor(VALUES, True), T.tensor(VALUES, True)
    (x * y).sum().backward(inputs=[y])
    return x.grad, y.grad


def not_scalar(T: Any) -> Any:
    T.tensor(VALUES, True).mul(2).backward()


def given_gradient(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    (x * 2).backward(T.tensor(VALUES))
    return (x.grad,)


def several_roots(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    T.backward([(x * 2).sum(), x.sin()], [None, T.tensor(VALUES)])
    return (x.grad,)


def no_graph(T: Any) -> Any:
    T.tensor(VALUES).sum().backward()


def leaf_itself(T: Any) -> Any:
    x = T.tensor(np.float32(3), True)
    x.backward()
    return (x.grad,)


def hooks(T: Any) -> Any:
    x, seen = T.tensor(VALUES, True), []
    y = x * 3
    first = x.register_hook(lambda g: g * 2)
    y.register_hook(lambda g: seen.append(g.shape) or g + 1)
    gone = y.register_hook(lambda g: g * 100)
    gone.remove()
    y.retain_grad()
    (y * y).sum().backward()
    first.remove()
    (x * 1).sum().backward()
    return x.grad, y.grad, [tuple(each) for each in seen], y.retains_grad, x.retains_grad


def wrong_grad(T: Any) -> Any:
    T.tensor(VALUES, True).grad = T.tensor(VALUES[0])


def integers(T: Any) -> Any:
    T.tensor(np.array([1, 2])).requires_grad_()


def inner_flag(T: Any) -> Any:
    (T.tensor(VALUES, True) * 2).requires_grad_(False)


def unbound(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    a, b = (x * 2).unbind(0)
    c = [row * 2 for row in x]
    (a * b + c[0]).sum().backward()
    return (x.grad,)


PROGRAMS = [
    twice,
    strided_twice,
    grad_keeps_identity,
    double,
    backward_twice,
    retained,
    inner_gradients,
    unused,
    unused_refused,
    materialized,
    some_inputs,
    not_scalar,
    given_gradient,
    several_roots,
    no_graph,
    leaf_itself,
    hooks,
    wrong_grad,
    integers,
    inner_flag,
    unbound,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_program(program: Any) -> None:
    same(program)


def test_value_and_grad_does_not_end_recording() -> None:
    x = from_numpy(VALUES.copy(), True)
    mindspore.value_and_grad(lambda value: (value * value).sum())(mindspore.Tensor(VALUES))
    (x * x).sum().backward()
    np.testing.assert_allclose(values_of(x.grad), 2 * VALUES)


def test_functions_of_mindspore_take_a_tensor_and_pass_its_gradient() -> None:
    x = from_numpy(VALUES.copy(), True)
    y = wrap(mindspore.ops.relu(mindspore.ops.concat((x, x * 2))))
    y.sum().backward()
    np.testing.assert_allclose(values_of(x.grad), 3 * (VALUES > 0))
    assert type(mindspore.Tensor(1.0) + 1) is mindspore.Tensor


def test_a_graph_goes_with_its_last_tensor() -> None:
    """Neither hooks nor views nor saved outputs keep a tensor alive in a circle."""
    import gc
    import weakref

    class Kept(function.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x * 2
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[1]

    x = from_numpy(VALUES.copy(), True)
    y = Kept.apply(x) * 1
    y.register_hook(lambda g: g)
    y.retain_grad()
    v = y[0]
    v.mul_(2)
    v.sum().backward()
    gone = [weakref.ref(each) for each in (x, y, v)]
    del x, y, v
    gc.collect()
    assert [each() for each in gone] == [None, None, None]
