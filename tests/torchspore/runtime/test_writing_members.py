"""Members of tensors that draw, write and look, against torch: through views, into the graph, and refused where torch
refuses. Values by themselves are what the entries' evidence is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from sides import assert_same, outcome, pair

import torchspore
from torchspore._runtime.tensor import from_numpy

pytestmark = pytest.mark.frameworks

RANDOM = np.random.RandomState(7)
DRAWS: dict[str, tuple[Any, ...]] = {
    "uniform_": (-1, 2), "normal_": (1, 3), "exponential_": (0.5,), "cauchy_": (0, 2), "log_normal_": (0, 0.5),
    "geometric_": (0.3,), "bernoulli_": (0.4,), "random_": (-3, 9),
}  # fmt: skip
LOOKS: dict[str, Callable[[Any], Any]] = {
    "all": lambda x: x,
    "a row": lambda x: x[1],
    "transposed": lambda x: x.t(),
    "every second column": lambda x: x[:, ::2],
}


def drawn(*shape: int) -> Any:
    return np.asarray(RANDOM.randn(*shape), np.float32)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", DRAWS)
def test_numbers_are_drawn_into_views_in_torchs_order(name: str, look: str) -> None:
    wholes, following = [], []
    for lib, x in zip((torch, torchspore), pair(np.zeros((5, 18), np.float32)), strict=True):
        lib.manual_seed(11)  # type: ignore[attr-defined]
        part = LOOKS[look](x)
        assert getattr(part, name)(*DRAWS[name]) is part
        wholes.append(x)
        following.append(lib.rand(3))  # type: ignore[attr-defined]
    assert_same(*wholes, rtol=1e-6, atol=1e-6)
    assert_same(*following, rtol=0, atol=0)


@pytest.mark.parametrize("name", DRAWS)
def test_what_was_drawn_over_has_no_gradient(name: str) -> None:
    for x in pair(drawn(4), requires_grad=True):
        y = x * 3
        getattr(y[1:3], name)(*DRAWS[name])
        y.sum().backward()
        assert x.grad is not None
        assert x.grad.tolist() == [3, 0, 0, 3]


@pytest.mark.parametrize("name", DRAWS)
def test_a_refused_draw_takes_no_number(name: str) -> None:
    for lib, x in zip((torch, torchspore), pair(np.zeros(3, np.float32), requires_grad=True), strict=True):
        lib.manual_seed(2)  # type: ignore[attr-defined]
        before = lib.get_rng_state().tolist()  # type: ignore[attr-defined]
        assert isinstance(outcome(getattr(x, name), *DRAWS[name]), RuntimeError)
        assert lib.get_rng_state().tolist() == before  # type: ignore[attr-defined]


AT = np.array([2, 0, 2])
WRITES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "index_add": lambda x, y, at: x.index_add(0, at, y, alpha=2),
    "index_add_": lambda x, y, at: (x * 1).index_add_(0, at, y),
    "index_copy_": lambda x, y, at: (x * 1).index_copy_(0, at[:2], y[:2]),
    "index_fill_": lambda x, y, at: (x * y.sum()).index_fill_(0, at, 0.5),
    "index_fill_ by a tensor": lambda x, y, at: (x * 1).index_fill_(1, at[1:], y[0, 0]),
    "scatter_": lambda x, y, at: (x * 1).scatter_(0, at[:2].reshape(1, 2), y[:1, :2]),
    "scatter_ of a number": lambda x, y, at: (x * y.sum()).scatter_(0, at[:2].reshape(1, 2), value=3.0),
    "scatter_add_": lambda x, y, at: (x * 1).scatter_add_(0, at.reshape(3, 1), y),
    "masked_scatter_": lambda x, y, at: (x * 1).masked_scatter_(x > 0, (y * y).reshape(-1).repeat(4)),
    "index_put_": lambda x, y, at: (x * 1).index_put_((at, at), y[:, 0], accumulate=True),
    "nan_to_num_": lambda x, y, at: (x / (y - y)).nan_to_num_(posinf=3.0, neginf=-3.0) * x,
    "clamp_min_": lambda x, y, at: (x * 1).clamp_min_(0.1) * y[0, 0],
    "amax": lambda x, y, at: x.amax((0, 1)) * y,
    "quantile": lambda x, y, at: x.quantile(0.3, dim=1) * y[:, 0],
    "unfold": lambda x, y, at: x.unfold(1, 2, 1) * y[0, 0],
    "diff": lambda x, y, at: x.diff(prepend=y, dim=1),
    "softmax": lambda x, y, at: x.softmax(1) * y,
    "vector_norm": lambda x, y, at: (torch if isinstance(x, torch.Tensor) else torchspore).linalg.vector_norm(x, 3, 0),
}


@pytest.mark.parametrize("name", WRITES)
def test_results_and_gradients(name: str) -> None:
    (one, ours), (two, others) = pair(drawn(3, 4), requires_grad=True), pair(drawn(3, 4)[:, :1], requires_grad=True)
    wide = name.startswith("index_") or name == "scatter_"
    results = []
    for x, y, at in ((one, two, torch.from_numpy(AT)), (ours, others, from_numpy(AT.copy()))):
        result = WRITES[name](x, y.expand(3, 4) if wide else y, at)
        (result * result).sum().backward()
        results.append(result)
    assert_same(results[0].detach(), results[1].detach(), 1e-5, 1e-5)
    for theirs, mine in ((one, ours), (two, others)):
        assert (theirs.grad is None) == (mine.grad is None)
        if theirs.grad is not None:
            assert_same(theirs.grad, mine.grad, 1e-4, 1e-4)


def test_windows_share_memory() -> None:
    wholes = []
    for x in pair(drawn(2, 6)):
        windows = x.unfold(1, 3, 2)
        windows[0, 1] += 10
        x[1, 2] = -1
        wholes.append((x, windows))
    for theirs, ours in zip(*wholes, strict=True):
        assert_same(theirs, ours)


REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "an index too many": lambda lib, x, at: x.index_add_(0, at, lib.ones(2, 4)),
    "an index outside": lambda lib, x, at: x.index_copy_(0, at + 3, lib.ones(3, 4)),
    "another dtype": lambda lib, x, at: x.index_add_(0, at, lib.ones(3, 4, dtype=lib.float64)),
    "too few elements": lambda lib, x, at: x.masked_scatter_(x == x, lib.ones(3)),
    "a mask of numbers": lambda lib, x, at: x.masked_scatter(at.reshape(3, 1), lib.ones(12)),
    "a wider result": lambda lib, x, at: x[:1].masked_scatter_(lib.ones(3, 4, dtype=lib.bool), lib.ones(12)),
    "a share above one": lambda lib, x, at: x.quantile(1.5),
    "a window too long": lambda lib, x, at: x.unfold(0, 4, 1),
    "no step": lambda lib, x, at: x.unfold(0, 1, 0),
    "whole numbers": lambda lib, x, at: at.softmax(0),
    "a norm of whole numbers": lambda lib, x, at: lib.linalg.vector_norm(at),
    "two dimensions": lambda lib, x, at: lib.cartesian_prod(x, at),
    "a text in place of a value": lambda lib, x, at: x.masked_fill_(x > 0, "1"),
    "two places for one": lambda lib, x, at: x.expand(2, 3, 4).index_add_(0, at[1:2], x[None]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_torch_refuses(name: str) -> None:
    """And nothing was written before it was refused, which torch does not always keep to."""
    values = drawn(3, 4)
    (one, ours), (theirs_at, ours_at) = pair(values), pair(AT)
    expected = outcome(REFUSED[name], torch, one, theirs_at)
    found = outcome(REFUSED[name], torchspore, ours, ours_at)
    assert isinstance(expected, Exception)
    assert isinstance(found, type(expected)), found
    np.testing.assert_array_equal(ours.numpy(), values)


def test_methods_in_place_take_numpys_names_and_numbers() -> None:
    (one, ours), (two, others) = pair(drawn(3)), pair(drawn(3))
    for x, y in ((one, two), (ours, others)):
        x.add_(x2=y, alpha=np.float64(2)).mul_(x2=y).sub_(other=y, alpha=np.int64(3))
    assert_same(one, ours)


def test_a_picture_is_resized_to_a_shape() -> None:
    """The function itself is annotated with one number; its overloads allow a shape."""
    one, ours = pair(drawn(1, 2, 3, 4))
    for size in ((5, 6), [5, 6], 7, one.shape[-2:]):
        expected = torch.nn.functional.interpolate(one, size=size, mode="nearest")  # type: ignore[arg-type]
        assert_same(expected, torchspore.nn.functional.interpolate(ours, size=size, mode="nearest"))
