"""The dtype and the values of every operator over all pairs of dtypes, numbers and tensors without dimensions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
import torch
from sides import outcome, pair, typed, values_of

from torchspore._runtime.tensor import dtypes, promotion

pytestmark = pytest.mark.frameworks

NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")
NUMBERS: tuple[Any, ...] = (2, 1.5, True, 2j)
OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge", "and_", "or_", "xor",
)  # fmt: skip
FUNCTIONS = (
    "exp", "log", "sin", "sqrt", "tanh", "sigmoid", "neg", "abs", "sign", "floor", "reciprocal", "relu", "square",
    "isnan",
)  # fmt: skip


def tolerance(kinds: str, usual: float) -> float:
    """Half as many bits, a thousandth of the precision."""
    return 8e-3 if "16" in kinds else usual


def operands() -> list[tuple[Any, Any]]:
    flat = [typed([1.0, 2.0, 3.0], name) for name in NAMES]
    single = [typed(2.0, name) for name in NAMES]
    return flat + single + [(number, number) for number in NUMBERS]


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name: str) -> None:
    function = getattr(operator, name)
    wrong = []
    for theirs in operands():
        for others in operands():
            if not isinstance(theirs[0], torch.Tensor) and not isinstance(others[0], torch.Tensor):
                continue
            expected, found = outcome(function, theirs[0], others[0]), outcome(function, theirs[1], others[1])
            if str(getattr(expected, "dtype", "")) == "torch.complex32":
                assert "complex32" in str(found)  # MindSpore has none, and nothing else is given for it
                continue
            said = [getattr(each[0], "dtype", each[0]) for each in (theirs, others)]
            if isinstance(expected, Exception) or isinstance(found, Exception):
                if isinstance(expected, Exception) != isinstance(found, Exception):
                    wrong.append((said, str(expected)[:60], str(found)[:60]))
            elif str(expected.dtype) != str(found.dtype):
                wrong.append((said, expected.dtype, found.dtype))
            elif not np.allclose(
                values_of(found), values_of(expected), rtol=tolerance(f"{said} {expected.dtype}", 1e-5)
            ):
                wrong.append((said, values_of(expected), values_of(found)))
    assert not wrong, (len(wrong), wrong[:30])


def test_result_type() -> None:
    for one in operands():
        for other in operands():
            expected = outcome(torch.result_type, one[0], other[0])
            if not isinstance(expected, Exception) and expected != torch.complex32:
                assert str(expected) == str(promotion.result_type(one[1], other[1])), (one[0], other[0])


def test_default_dtype_counts_for_numbers() -> None:
    theirs, ours = pair(np.array([1, 2]))
    torch.set_default_dtype(torch.float64)
    dtypes.set_default(dtypes.float64)
    try:
        assert str((theirs * 1.5).dtype) == str((ours * 1.5).dtype) == "torch.float64"
        assert str((theirs / 2).dtype) == str((ours / 2).dtype) == "torch.float64"
    finally:
        torch.set_default_dtype(torch.float32)
        dtypes.set_default(dtypes.float32)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_one(name: str) -> None:
    for kind in NAMES:
        theirs, ours = typed([1.0, 2.0, 3.0], kind)
        expected, found = outcome(getattr(torch, name), theirs), outcome(getattr(type(ours), name), ours)
        if isinstance(expected, Exception):
            assert isinstance(found, Exception), kind
            continue
        assert not isinstance(found, Exception), (kind, found)
        assert str(expected.dtype) == str(found.dtype)
        np.testing.assert_allclose(values_of(found), values_of(expected), rtol=tolerance(str(expected.dtype), 2e-6))
