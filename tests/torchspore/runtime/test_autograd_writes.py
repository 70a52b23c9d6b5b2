"""Writes into tensors of a graph, against torch: what backward needs, leaves, views, what is detached."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engines import VALUES, same
from sides import assert_same, pair

pytestmark = pytest.mark.frameworks


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


def detached(T: Any) -> Any:
    x = T.tensor(VALUES, True)
    y = x * 2
    d = y.detach()
    d.zero_()
    e = (x * 2).detach_()
    y.data.add_(1)
    return y, d, d.requires_grad, y.requires_grad, e.is_leaf, e.requires_grad


PROGRAMS = [
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
    detached,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_program(program: Any) -> None:
    same(program)


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
