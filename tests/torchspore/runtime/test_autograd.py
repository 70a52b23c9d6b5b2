"""The engine against torch: accumulation, strided gradients, second derivatives, hooks, modes and own functions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import mindspore
import numpy as np
import pytest
import torch
from sides import assert_same, outcome, pair, values_of

from torchspore._runtime.autograd import engine, function, modes
from torchspore._runtime.tensor import from_numpy, wrap

pytestmark = pytest.mark.frameworks

VALUES = np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3)
THEIRS = SimpleNamespace(
    grad=torch.autograd.grad,
    backward=torch.autograd.backward,
    Function=torch.autograd.Function,
    no_grad=torch.no_grad,
    enable_grad=torch.enable_grad,
    inference_mode=torch.inference_mode,
    set_grad_enabled=torch.set_grad_enabled,
    is_grad_enabled=torch.is_grad_enabled,
    tensor=lambda values, wanted=False: torch.from_numpy(np.array(values)).requires_grad_(wanted),
)
OURS = SimpleNamespace(
    grad=engine.grad,
    backward=engine.backward,
    Function=function.Function,
    no_grad=modes.no_grad,
    enable_grad=modes.enable_grad,
    inference_mode=modes.inference_mode,
    set_grad_enabled=modes.set_grad_enabled,
    is_grad_enabled=modes.is_grad_enabled,
    tensor=lambda values, wanted=False: from_numpy(np.array(values), wanted),
)


def same(program: Any) -> None:
    """Run a program on both sides; its results, errors included, agree."""
    expected, found = outcome(program, THEIRS), outcome(program, OURS)
    if isinstance(expected, Exception) or isinstance(found, Exception):
        assert isinstance(expected, Exception) and isinstance(found, Exception), (expected, found)
        assert isinstance(found, type(expected)), (expected, found)
        return
    for theirs, ours in zip(expected, found, strict=True):
        if isinstance(theirs, torch.Tensor):
            assert_same(theirs, ours, rtol=1e-5)
        else:
            assert theirs == ours


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


def hook_after_write(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 3
    y.mul_(2)
    y.register_hook(lambda g: g * 10)
    y.sum().backward()
    return (x.grad,)


def saved_changed(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 2
    z = y * y
    y.add_(1)
    z.sum().backward()


def saved_changed_by_view(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 2
    z = y * y
    with T.no_grad():
        y[0].zero_()
    z.sum().backward()


def saved_changed_outside(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 2
    z = y * y
    y.detach().add_(1)
    z.sum().backward()


def leaf_written(T: Any) -> Any:
    T.tensor(VALUES, True).add_(1)


def leaf_view_written(T: Any) -> Any:
    T.tensor(VALUES, True)[0].add_(1)


def leaf_written_quietly(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    with T.no_grad():
        x -= 0.5
        x[0, 1] = 7
    (x * x).sum().backward()
    return x, x.grad, x.requires_grad, x.is_leaf


def expanded_written(T: Any) -> Any:
    T.tensor(VALUES[:1]).expand(2, 3).add_(1)


def unbind_written(T: Any) -> Any:
    (T.tensor(VALUES, True) * 1).unbind(0)[0].mul_(2)


def quiet_view_written(T: Any) -> Any:
    x = T.tensor(VALUES, True) * 1
    with T.no_grad():
        v = x[0]
    v.mul_(2)


def becomes_part(T: Any) -> Any:
    x, out = T.tensor(VALUES, True), T.tensor(np.zeros((3, 2, 3), np.float32))
    for number in range(3):
        out[number] = x * (number + 1)
    v = out[1]
    (v * out[2]).sum().backward()
    return out, x.grad, out.requires_grad, out.is_leaf


def picked_written_quietly(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x[[0, 1, 0]]
    with T.no_grad():
        y.detach().add_(1)
        y.add_(1)
    (y * 2).sum().backward()
    return y.detach(), x.grad


def plain_times_leaf(T: Any) -> Any:
    x, plain = T.tensor(VALUES, True), T.tensor(VALUES + 3)
    plain.mul_(x).add_(x, alpha=2)
    plain.sum().backward()
    return plain.detach(), x.grad


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


def detached(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 2
    d = y.detach()
    d.zero_()
    e = (x * 2).detach_()
    y.data.add_(1)
    return y, d, d.requires_grad, y.requires_grad, e.is_leaf, e.requires_grad


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
    hook_after_write,
    saved_changed,
    saved_changed_by_view,
    saved_changed_outside,
    leaf_written,
    leaf_view_written,
    leaf_written_quietly,
    expanded_written,
    unbind_written,
    quiet_view_written,
    becomes_part,
    picked_written_quietly,
    plain_times_leaf,
    wrong_grad,
    integers,
    inner_flag,
    unbound,
    modes_nested,
    modes_decorating,
    own_function,
    own_function_changed,
    detached,
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


def test_a_write_after_a_saved_output_has_the_right_gradient() -> None:
    """torch refuses this, since it keeps the output in the memory that is written to; here it is kept apart."""
    theirs, ours = pair(VALUES, True)
    expected = theirs.sigmoid() + 1
    found = (ours * 1).sigmoid_().add_(1)
    (expected * expected).sum().backward()
    (found * found).sum().backward()
    assert_same(expected, found)
    assert_same(theirs.grad, ours.grad)


def test_a_write_beside_a_saved_part_has_the_right_gradient() -> None:
    """torch refuses this too; MindSpore keeps a copy of the part, which the write does not reach."""
    theirs, ours = pair(VALUES, True)
    for x, part in ((theirs, lambda y: y[1].clone()), (ours, lambda y: y[1])):
        y = x * x
        y[0] = part(y) * x[0]
        (y * y).sum().backward()
    assert_same(theirs.grad, ours.grad, rtol=1e-5)


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
