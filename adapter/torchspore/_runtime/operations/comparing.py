"""Whether tensors are equal, or close enough. In: two tensors. Out: a truth value, or one for each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from .numbers import array, kind_of, made, need_tensors, shape_of


def _close(name: str, input: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    need_tensors(name, input=input, other=other)
    if kind_of(input) != kind_of(other):
        raise RuntimeError(f"{name}: {kind_of(input)} did not match {kind_of(other)}")
    if rtol < 0 or atol < 0:
        raise RuntimeError(f"{name}: rtol and atol must be greater than or equal to zero, and they are {rtol}, {atol}")
    one, two = array(input), array(other)
    kind = kind_of(input)
    with np.errstate(all="ignore"):
        try:
            found = one == two
        except ValueError as unfit:
            raise RuntimeError(f"{name}: {list(one.shape)} and {list(two.shape)} do not fit each other") from unfit
        if not isinstance(found, np.ndarray | np.bool_) or np.shape(found) != np.broadcast_shapes(one.shape, two.shape):
            raise RuntimeError(f"{name}: {list(one.shape)} and {list(two.shape)} do not fit each other")
        if equal_nan and kind.kind in "fc":
            found = found | (np.isnan(one) & np.isnan(two))
        if rtol == 0 and atol == 0:
            return found
        if kind.kind in "bui":
            one, two = one.astype(np.float64), two.astype(np.float64)
        allowed, apart = atol + np.abs(rtol * two), np.abs(one - two)
        return found | (np.isfinite(apart) & (apart <= allowed))


def isclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """By element, whether two tensors differ by no more than the tolerances allow."""
    return made(_close("isclose", input, other, rtol, atol, equal_nan), dtypes.bool_)


def allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements of two tensors differ by no more than the tolerances allow."""
    return bool(np.all(_close("allclose", input, other, rtol, atol, equal_nan)))


def equal(input: Any, other: Any) -> bool:
    """Whether two tensors have the same shape and the same elements."""
    need_tensors("equal", input=input, other=other)
    same = tuple(shape_of(input)) == tuple(shape_of(other))
    return same and bool(np.array_equal(array(input), array(other)))
