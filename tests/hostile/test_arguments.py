"""What callers hand to the adapter that is not MindSpore's: objects of torch (H22) and scalars of NumPy (H23)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import pytest
import torch

import torchspore

pytestmark = pytest.mark.frameworks

ROWS = [[0.0, 5.0, 2.0], [3.0, 4.0, 1.0]]
THEIRS = torch.tensor(ROWS)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: torchspore.abs(THEIRS), "torch.Tensor"),
        (lambda: torchspore.max(THEIRS), "torch.Tensor"),
        (lambda: torchspore.max(THEIRS, 0), "torch.Tensor"),
        (lambda: torchspore.max(mindspore.Tensor(ROWS), THEIRS), "torch.Tensor"),
        (lambda: torchspore.cat([mindspore.Tensor(ROWS), THEIRS]), "torch.Tensor"),
        (lambda: torchspore.meshgrid(THEIRS[0], THEIRS[1]), "torch.Tensor"),
        (lambda: torchspore.topk(torch.nn.Parameter(THEIRS), 1), "torch.Tensor"),
        (lambda: torchspore.nn.functional.leaky_relu(THEIRS), "torch.Tensor"),
        (lambda: torchspore.nn.Linear(3, 2)(THEIRS), "torch.Tensor"),
        (lambda: torchspore.full((2,), 1, dtype=torch.float32), "torch.dtype"),
        (lambda: torchspore.arange(3, dtype=torch.int64), "torch.dtype"),
        (lambda: torchspore.nn.Linear(3, 2, dtype=torch.float32), "torch.dtype"),
    ],
)
def test_h22_what_is_torchs_own_is_named_as_such(call: Callable[[], object], named: str) -> None:
    with pytest.raises((TypeError, NotImplementedError), match=named.replace(".", r"\.")) as told:
        call()
    assert any(way in str(told.value) for way in ("mindspore.Tensor(", "torchspore", "leave it out", "must stay"))


@pytest.mark.parametrize(
    "make", [torchspore.arange, lambda n, device: torchspore.nn.Linear(n, 2, device=device).weight]
)
def test_h22_a_device_of_torch_is_what_its_name_says(make: Callable[..., Any]) -> None:
    assert make(3, device=torch.device("cpu")).device == torchspore.device("cpu")
    with pytest.raises(RuntimeError, match="cuda"):
        make(3, device=torch.device("cuda", 0))


def outcome(library: Any, call: Callable[[Any, Any], Any]) -> object:
    """A call's result as dtype and array, or the name of its error."""
    tensor = THEIRS if library is torch else mindspore.Tensor(ROWS)
    try:
        result = call(library, tensor)
    except (TypeError, RuntimeError, ValueError, IndexError):
        return "refused"
    several = result if isinstance(result, tuple) else (result,)
    return [(str(each.dtype).rpartition(".")[2].lower(), np.round(each.tolist(), 5).tolist()) for each in several]


TAKEN: list[Callable[[Any, Any], Any]] = [
    lambda lib, x: lib.max(x, np.int64(0)),
    lambda lib, x: lib.max(x, dim=np.int32(1)),
    lambda lib, x: lib.median(x, np.int64(1)),
    lambda lib, x: lib.sort(x, np.int8(0)),
    lambda lib, x: lib.argmin(x, np.int64(0)),
    lambda lib, x: lib.topk(x, np.int64(1), np.int64(0)),
    lambda lib, x: lib.cat([x, x], np.int64(1)),
    lambda lib, x: lib.var(x, np.int64(0)),
    lambda lib, x: lib.var(x, [np.int64(0)]),
    lambda lib, x: lib.std(x, dim=(np.int64(0), 1)),
    lambda lib, x: lib.var(x, 0, correction=np.int64(0)),
    lambda lib, x: lib.arange(np.int64(3)),
    lambda lib, x: lib.arange(np.float32(3)),
    lambda lib, x: lib.arange(np.float64(3)),
    lambda lib, x: lib.arange(np.uint8(1), np.int16(6), np.int64(2)),
    lambda lib, x: lib.full((2,), np.float32(0.5)),
    lambda lib, x: lib.full((2,), np.float64(0.5)),
    lambda lib, x: lib.full((2,), np.int8(3)),
    lambda lib, x: lib.full((2,), np.bool_(True)),
    lambda lib, x: lib.full((np.int64(2), 3), 1),
    lambda lib, x: lib.full([2, np.int32(3)], np.float16(0.5)),
    lambda lib, x: lib.nn.functional.leaky_relu(-x, np.float32(0.5)),
]
REFUSED: list[Callable[[Any, Any], Any]] = [
    lambda lib, x: lib.max(x, np.float32(0)),
    lambda lib, x: lib.max(x, np.bool_(True)),
    lambda lib, x: lib.full((np.float32(2),), 1),
]


@pytest.mark.parametrize("call", TAKEN)
def test_h23_a_scalar_of_numpy_works_where_torch_takes_it(call: Callable[[Any, Any], Any]) -> None:
    assert outcome(torchspore, call) == outcome(torch, call) != "refused"


@pytest.mark.parametrize("call", REFUSED)
def test_h23_a_scalar_of_numpy_is_refused_where_torch_refuses_it(call: Callable[[Any, Any], Any]) -> None:
    assert outcome(torchspore, call) == outcome(torch, call) == "refused"


def test_h23_layers_and_optimisers_take_them() -> None:
    layer = torchspore.nn.Linear(np.int64(3), np.int32(2), np.bool_(False))
    assert tuple(layer(mindspore.Tensor(ROWS)).shape) == (2, 2) and layer.bias is None
    norm = torchspore.nn.BatchNorm2d(np.int64(2), np.float32(0.5), np.float32(0.25))
    assert next(iter(norm.state_dict())) == "weight"
    torchspore.optim.Adam(layer.parameters(), lr=np.float32(0.1), betas=(np.float32(0.9), 0.99))


def test_h23_the_same_call_without_numpy_is_not_taken_for_one_with_it() -> None:
    x = mindspore.Tensor(ROWS)
    by_numpy, by_python = torchspore.max(x, np.int64(0)), torchspore.max(x, 0)
    assert by_numpy.values.tolist() == by_python.values.tolist()
    with pytest.raises(TypeError, match=r"numpy\.float32"):
        torchspore.max(x, np.float32(0))
