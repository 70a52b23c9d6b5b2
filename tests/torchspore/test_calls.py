"""Calls in one process: what is kept from one call for the next is right for the next, and a mistake is a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import pytest
import torch

import torchspore
from torchspore._runtime.core.errors import Rejected, UnsupportedArgument

pytestmark = pytest.mark.frameworks

ARRAY = np.array([[3.0, -1.0, 2.0], [9.0, 7.0, -8.0]], np.float32)


def tensor(dtype: str = "float32") -> Any:
    return mindspore.Tensor(ARRAY.astype(dtype))


def test_a_call_that_was_matched_before_gets_its_own_values() -> None:
    """The same types twice, with other values; the same names in another order; lists of the same type."""
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((0,), {}), ((1,), {}), ((0, False), {}), ((1, True), {}),
        ((), {"dim": 1, "keepdim": True}), ((), {"keepdim": True, "dim": 0}), ((), {"dim": 0, "keepdim": False}),
        ((False,), {}), ((True,), {}), (([0],), {}), (([0, 1],), {}), (((1,),), {}),
        ((1,), {"correction": 0}), ((1,), {"correction": 2}), ((1,), {"correction": 2.0}),
    ]  # fmt: skip
    for args, kwargs in calls * 2:
        ours = torchspore.std(tensor(), *args, **kwargs).asnumpy()
        assert np.allclose(ours, torch.std(torch.from_numpy(ARRAY), *args, **kwargs).numpy()), (args, kwargs)


@pytest.mark.parametrize("name", ["std", "var"])
@pytest.mark.parametrize("dim", [None, 0, 1])
def test_a_spread_far_from_zero_keeps_its_digits(name: str, dim: int | None) -> None:
    far = (np.arange(12).reshape(3, 4) ** 2 % 7 + 10_000_000).astype("float32")
    ours = getattr(torchspore, name)(mindspore.Tensor(far), dim).asnumpy()
    assert np.allclose(ours, getattr(torch, name)(torch.from_numpy(far).double(), dim).numpy(), rtol=1e-6)


def test_a_list_is_looked_into_each_time() -> None:
    assert torchspore.std(tensor(), [0]).shape == (3,)
    with pytest.raises(TypeError, match="cannot be called with"):
        torchspore.std(tensor(), ["0"])


def test_a_dtype_that_follows_another_one_is_looked_at() -> None:
    """Of four bytes all dtypes are taken, of eight one is not."""
    for dtype in ("float32", "int32", "float32", "float64", "int64", "int8"):
        assert torchspore.abs(tensor(dtype)).asnumpy().tolist() == np.abs(ARRAY).astype(dtype).tolist()
    for dtype in ("complex64", "bool", "complex64"):
        with pytest.raises(UnsupportedArgument, match=f"does not take {dtype}"):
            torchspore.abs(tensor(dtype))


def test_another_target_is_chosen_anew() -> None:
    torchspore.std(tensor(), 1)
    torchspore.abs(tensor())
    assert str(torchspore.which("std")).endswith("; the platform is CPU.")
    torchspore.use("mint")
    try:
        assert torchspore.which("std").target == "mint"
        assert torchspore.abs(tensor()).shape == (2, 3)
    finally:
        torchspore.use(None)
    assert torchspore.which("std").target == "ops"


MISTAKES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no tensor": (lambda: torchspore.abs([1]), Rejected, "torch.abs: a MindSpore Tensor is needed, and this is [1]."),
    "a word that refuses": (
        lambda: torchspore.std(tensor(), correction=0.5), UnsupportedArgument,
        "torch.std: MindSpore takes whole numbers only here, and this is 0.5.",
    ),
    "integers that cannot be negated": (
        lambda: torchspore.topk(tensor("uint8"), 1, largest=False), UnsupportedArgument,
        "torch.topk: MindSpore finds the smallest by negation, which fails for uint8 and for 0 of uint8.",
    ),
    "a condition that is looked at": (
        lambda: torchspore.median(mindspore.Tensor(ARRAY[:0])), UnsupportedArgument,
        "torch.median: input does not fit MindSpore, which needs a tensor with elements.",
    ),
    "what MindSpore has no place for": (
        lambda: torchspore.cat([tensor()], out=3), UnsupportedArgument,
        "torch.cat: MindSpore has nothing for out, so it must stay None; it is 3.",
    ),
    "no entry": (
        lambda: torchspore.histc, AttributeError,
        "torch.histc: torch has it, but the registry has no entry for it yet, so nothing stands for it on MindSpore.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence(mistake: str) -> None:
    call, kind, sentence = MISTAKES[mistake]
    with pytest.raises(kind) as raised:
        call()
    assert str(raised.value) == sentence
