"""Which tensors the adapter's functions take and give: its own for its own, MindSpore's for MindSpore's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import pytest
import torch

import torchspore
from torchspore._runtime.tensor import closing

pytestmark = pytest.mark.frameworks

ROWS = np.array([[1.5, -2.0, 0.5], [3.0, 4.0, -1.0]], np.float32)
CALLS: dict[str, Callable[[Any], Any]] = {
    "one call, chosen by size": torchspore.abs,
    "one call, chosen by dtype": lambda x: torchspore.std(x, 0),
    "several results under names": lambda x: torchspore.topk(x, 2),
    "a list of tensors": lambda x: torchspore.cat([x, x]),
    "a size besides": lambda x: torchspore.broadcast_to(x, (2, 2, 3)),
}


def tensors(value: Any) -> list[Any]:
    return [each for item in value for each in tensors(item)] if isinstance(value, (list, tuple)) else [value]


def plain(value: Any) -> list[Any]:
    return [np.asarray(each.asnumpy()).tolist() for each in tensors(value)]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_function_gives_the_class_that_it_is_given(call: Callable[[Any], Any]) -> None:
    own, theirs = call(torchspore.tensor(ROWS)), call(mindspore.Tensor(ROWS))
    assert {type(each) for each in tensors(own)} == {torchspore.Tensor}
    assert {type(each) for each in tensors(theirs)} == {mindspore.Tensor}
    assert plain(own) == plain(theirs)
    assert plain(call(torchspore.tensor(ROWS))) == plain(own), "the choice is remembered for each class"


def test_what_is_made_of_no_tensor_is_the_adapters_own() -> None:
    made = [torchspore.zeros(2, 3), torchspore.arange(3), torchspore.full((2,), 7), torchspore.tensor([1.0])]
    assert {type(each) for each in made} == {torchspore.Tensor}
    assert made[0].size() == (2, 3) and made[1].dtype == torchspore.int64


def test_mindspores_functions_take_an_own_tensor() -> None:
    x = torchspore.tensor(ROWS)
    assert isinstance(x, mindspore.Tensor)
    assert mindspore.ops.relu(x).asnumpy().tolist() == np.maximum(ROWS, 0).tolist()
    assert mindspore.mint.sum(x).asnumpy() == ROWS.sum()
    assert mindspore.ops.concat([x, mindspore.Tensor(ROWS)]).shape == (4, 3)


def test_a_method_of_an_entry_belongs_to_the_class() -> None:
    x = torchspore.tensor(ROWS)
    assert x.topk(1).values.tolist() == [[1.5], [4.0]]
    assert torchspore.Tensor.topk(x, 1).indices.tolist() == [[0], [1]]
    assert not hasattr(mindspore.Tensor(ROWS).topk(1), "values"), "MindSpore's class stays as it is"


def test_gradients_go_through_the_functions_of_entries() -> None:
    x = torchspore.tensor(ROWS, requires_grad=True)
    torchspore.cat([torchspore.abs(x), x * x]).sum().backward()
    assert x.grad.tolist() == (np.sign(ROWS) + 2 * ROWS).tolist()


def test_views_share_memory_and_writes_reach_them() -> None:
    x = torchspore.zeros(2, 3)
    rows, flat = torchspore.transpose(x, 0, 1), torchspore.reshape(x, (6,))
    x += 1
    flat[0] = 5
    assert rows.tolist() == [[5, 1], [1, 1], [1, 1]]
    assert torchspore.chunk(x, 2)[0].data_ptr() == x.data_ptr()


def test_dtypes_are_torchs_and_mindspores() -> None:
    assert torchspore.float32 == mindspore.float32 and isinstance(torchspore.float32, torchspore.dtype)
    assert str(torchspore.zeros(1).dtype) == "torch.float32"
    assert torchspore.zeros(1, dtype=torchspore.bool).dtype is torchspore.bool
    assert mindspore.ops.zeros((1,), torchspore.int64).dtype == mindspore.int64


def is_of_an_entry(member: Any) -> bool:
    """Whether a method was taken in from an adapter module of its own, as it is when it is asked for."""
    module = str(getattr(member, "__module__", ""))
    return module.startswith("torchspore.") and not module.startswith("torchspore._runtime")


def test_the_class_declares_what_is_attached_to_it() -> None:
    own = torchspore.Tensor.__dict__
    attached = {
        name
        for name, member in own.items()
        if name[0] != "_" and name not in closing.refused and not isinstance(member, closing._Member)
        if not is_of_an_entry(member)
    }
    assert {name for name in attached if hasattr(torch.Tensor, name)} == set(torchspore.Tensor.__annotations__)
