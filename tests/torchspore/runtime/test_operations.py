"""Functions on tensors against torch: equations, picking and writing by index, names of arguments, numbers that keep
their digits, and views that every function of MindSpore reads rightly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import pytest
import torch
from sides import assert_same, outcome, pair

import torchspore
from torchspore._runtime import operations
from torchspore._runtime.calls.forms import NUMPY_NAMES
from torchspore._runtime.tensor import from_numpy

pytestmark = pytest.mark.frameworks

RANDOM = np.random.RandomState(1)


def drawn(*shape: int) -> Any:
    return np.asarray(RANDOM.randn(*shape), np.float32)


EQUATIONS: list[tuple[str, list[tuple[int, ...]]]] = [
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("bij,bjk", [(2, 3, 4), (2, 4, 5)]),
    ("ii->i", [(3, 3)]),
    ("ij->", [(3, 4)]),
    ("i,j->ji", [(3,), (4,)]),
    ("bhqd,bhkd->bhqk", [(2, 2, 3, 4), (2, 2, 5, 4)]),
    ("...ij,...jk->...ik", [(2, 1, 3, 4), (5, 4, 2)]),
    ("ab,bc,cd->ad", [(2, 3), (3, 4), (4, 2)]),
    ("iij,jk->k", [(3, 3, 2), (2, 4)]),
    ("i...->...", [(3, 4, 5)]),
    ("ij,ij->j", [(3, 4), (1, 4)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS, ids=[equation for equation, _ in EQUATIONS])
def test_an_equation_and_its_gradients(equation: str, shapes: list[tuple[int, ...]]) -> None:
    pairs = [pair(drawn(*shape), requires_grad=True) for shape in shapes]
    theirs = torch.einsum(equation, *(one for one, _ in pairs))
    ours = torchspore.einsum(equation, *(other for _, other in pairs))
    assert_same(theirs, ours, 1e-5, 1e-5)
    weights = drawn(*theirs.shape)
    (theirs * torch.from_numpy(weights)).sum().backward()
    (ours * from_numpy(weights)).sum().backward()
    for one, other in pairs:
        assert one.grad is not None
        assert_same(one.grad, other.grad, 1e-5, 1e-5)


@pytest.mark.parametrize("equation", ["ij,jk->il", "ij,jk,kl->il", "ij->ijk", "i1->i", "ijk,jk->i", "ij,jk->ii"])
def test_an_equation_that_does_not_fit(equation: str) -> None:
    (one, ours), (two, other) = pair(drawn(2, 3)), pair(drawn(3, 4))
    expected = outcome(torch.einsum, equation, one, two)
    assert isinstance(expected, Exception)
    assert type(outcome(torchspore.einsum, equation, ours, other)) is type(expected)


LOOKS: dict[str, Callable[[Any], Any]] = {
    "diagonal": lambda x: x.diagonal(),
    "every second row": lambda x: x[::2],
    "every second column": lambda x: x[:, ::2],
    "columns of the transposed": lambda x: x.t()[1:, ::2],
}
READERS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda t: mindspore.ops.ReduceSum()(t, (0,)),
    "stack": lambda t: mindspore.ops.stack([t, t]),
    "gather": lambda t: mindspore.ops.gather(t, mindspore.Tensor([0]), 0),
    "atan2": lambda t: mindspore.ops.atan2(t, t),
    "concat": lambda t: mindspore.ops.concat([t, t]),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("look", LOOKS)
def test_a_strided_view_has_its_own_shape_for_mindspore(look: str, reader: str) -> None:
    """What a view is of may have been read before: its shape must not stick to the view."""
    array = drawn(4, 5)
    whole = from_numpy(array.copy())
    READERS[reader](whole)
    view = LOOKS[look](whole)
    alone = mindspore.Tensor(LOOKS[look](torch.from_numpy(array)).numpy().copy())
    assert np.array_equal(READERS[reader](view).asnumpy(), READERS[reader](alone).asnumpy())


@pytest.mark.parametrize("name", ["__add__", "__sub__", "__mul__", "__truediv__", "__pow__"])
def test_a_number_keeps_its_digits(name: str) -> None:
    one, ours = pair(np.array([1.0, 2.0, 3.0]))
    assert_same(getattr(one, name)(0.1), getattr(ours, name)(0.1), 1e-15, 0)
    assert torchspore.tensor([0.1], dtype=torchspore.float64).tolist() == [0.1]


def test_division_by_nothing_has_a_sign() -> None:
    (one, ours), (two, other) = pair(np.array([1.0, -1.0, 0.0])), pair(np.array([-0.0, 0.0, -0.0]))
    assert np.array_equal((ours / other).numpy(), (one / two).numpy(), equal_nan=True)


NAMED: dict[str, Callable[[Any, Any], Any]] = {
    "axis": lambda lib, x: lib.sum(x, axis=1),
    "keepdims": lambda lib, x: lib.mean(x, dim=0, keepdims=True),
    "a": lambda lib, x: lib.exp(a=x),
    "x": lambda lib, x: lib.abs(x) + lib.add(x=x, x2=x),
    "shape": lambda lib, x: lib.reshape(x, shape=(3, 2)),
    "dims": lambda lib, x: lib.permute(input=x, dims=(1, 0)),
    "method axis": lambda lib, x: x.sum(axis=0),
    "method dim": lambda lib, x: x.max(axis=1).values,
    "method size": lambda lib, x: x.view(size=(6,)),
    "method dims": lambda lib, x: x.permute(dims=(1, 0)),
    "method other": lambda lib, x: x.add(x2=x),
}


@pytest.mark.parametrize("name", NAMED)
def test_the_names_that_torch_takes(name: str) -> None:
    one, ours = pair(drawn(2, 3))
    assert_same(NAMED[name](torch, one), NAMED[name](torchspore, ours))


def test_numpys_names_are_for_torchs_own_functions_only() -> None:
    """torch has `split` in Python: it takes the names that it declares."""
    for lib, x in zip((torch, torchspore), pair(drawn(4)), strict=True):
        with pytest.raises(TypeError):
            lib.split(x, 2, axis=0)  # type: ignore[attr-defined]


def test_the_names_are_those_that_pages_speak_of() -> None:
    from mapspore.words.kinds import NUMPY_NAMES as STATED

    assert NUMPY_NAMES == STATED


INDEX = np.array([[0, 2, 1], [2, 2, 0]])
WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "gather": lambda lib, x, i: lib.gather(x, 0, i),
    "scatter": lambda lib, x, i: lib.scatter(x, 0, i[:1], x[:1] * 2),
    "scatter a number": lambda lib, x, i: lib.scatter(x, 0, i, 7.0),
    "scatter_add": lambda lib, x, i: lib.scatter_add(x, 0, i, x[:2]),
    "method scatter_": lambda lib, x, i: (x * 1).scatter_(0, i[:1], x[:1]),
    "method scatter_add_": lambda lib, x, i: (x * 1).scatter_add_(0, i, x[:2]),
    "index_select": lambda lib, x, i: lib.index_select(x, 1, i[0]),
    "take_along_dim": lambda lib, x, i: lib.take_along_dim(x, i[:, :1], 0),
    "masked_select": lambda lib, x, i: lib.masked_select(x, x > 0),
    "masked_fill": lambda lib, x, i: x.masked_fill(x > 0, -1),
    "flip": lambda lib, x, i: x.flip(0, 1) + x.flip([1]),
    "roll": lambda lib, x, i: x.roll(1, 0) * x.roll(2),
    "tile": lambda lib, x, i: x.tile(2, 1).sum(0),
    "repeat_interleave": lambda lib, x, i: x.repeat_interleave(i[0], 0),
    "cumprod with 0": lambda lib, x, i: lib.cumprod(x * (x > 0), 1),
    "prod with 0": lambda lib, x, i: lib.prod(x * (x > 0), 1),
    "norm": lambda lib, x, i: x.norm() + lib.norm(x, 3, 1).sum() + lib.norm(x, float("inf")),
    "logsumexp": lambda lib, x, i: lib.logsumexp(x, (0, 1)),
    "cdist": lambda lib, x, i: lib.cdist(x, x + 1, 3.0),
    "trace": lambda lib, x, i: lib.trace(x) * lib.diag(x),
    "clamp by tensors": lambda lib, x, i: lib.clamp(x, x.flip(0), x.flip(1)),
    "pow of 0": lambda lib, x, i: lib.pow(x * (x > 0), lib.clamp(x, 0) * 0),
}


@pytest.mark.parametrize("name", WRITES)
def test_values_and_gradients(name: str) -> None:
    (one, ours), (index, own) = pair(drawn(3, 3), requires_grad=True), pair(INDEX)
    theirs, got = WRITES[name](torch, one, index), WRITES[name](torchspore, ours, own)
    assert_same(theirs, got, 1e-5, 1e-5)
    theirs.sum().backward()
    got.sum().backward()
    assert one.grad is not None
    assert_same(one.grad, ours.grad, 1e-5, 1e-5)


KEEPING: dict[str, Callable[[Any, Any], Any]] = {
    "logsumexp": lambda lib, x: lib.logsumexp(x, 0),
    "cumprod": lambda lib, x: lib.cumprod(x, 0),
    "prod": lambda lib, x: lib.prod(x, 0),
    "norm": lambda lib, x: lib.norm(x, 3),
    "cdist": lambda lib, x: lib.cdist(x, x + 1),
}


@pytest.mark.parametrize("name", KEEPING)
def test_what_a_gradient_needs_is_kept_from_later_writes(name: str) -> None:
    one, ours = pair(drawn(3, 3), requires_grad=True)
    KEEPING[name](torch, one).sum().backward()
    part = ours * 1
    found = KEEPING[name](torchspore, part)
    part.fill_(5)
    found.sum().backward()
    assert one.grad is not None
    assert_same(one.grad, ours.grad, 1e-5, 1e-5)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float64", "bfloat16"])
@pytest.mark.parametrize("rows", [slice(None), slice(None, None, 2)], ids=["whole", "strided"])
def test_memory_seen_as_another_dtype(dtype: str, rows: slice) -> None:
    one, ours = pair(drawn(4, 4))
    theirs, got = one[rows].view(getattr(torch, dtype)), ours[rows].view(getattr(torchspore, dtype))
    assert_same(theirs, got, 0, 0)
    if dtype == "uint8":
        theirs[0] = 0
        got[0] = 0
        assert_same(one, ours, 0, 0)


def test_every_name_is_there() -> None:
    for name in operations.__all__:
        assert callable(getattr(operations, name)), name
