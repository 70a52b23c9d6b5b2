"""Tensors of one value, and numbers in a row. In: a shape or an end, and what else torch's functions take. Out: tensors
of the dtype that is asked for, or of the one that the values have.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.creating import wrap
from ..tensor.devices import check
from ..tensor.kernels import filled
from ..tensor.size import called_with
from .numbers import Plain, array, kind_of, made, shape_of


def _finished(tensor: Any, device: Any, requires_grad: bool) -> Any:
    check(device)
    return tensor.requires_grad_() if requires_grad else tensor


def _plain(value: Any) -> Any:
    return array(value).item() if isinstance(value, Plain) else value


def _kind(value: Any) -> Any:
    """The dtype of a value of Python."""
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, int):
        return dtypes.int64
    return dtypes.default_complex() if isinstance(value, complex) else dtypes.default()


def _held(value: Any, kind: Any) -> Any:
    """A value as a dtype holds it; refused if it does not. Negative numbers wrap where there are none, as in torch."""
    if kind.kind == "f" and isinstance(value, complex) and value.imag:
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")
    if kind.kind not in "ui":
        return value
    limits = np.iinfo(dtypes.NUMPY[kind])
    least = -limits.max if limits.min == 0 else limits.min
    number = value.real if isinstance(value, complex) else value
    if not (math.isfinite(number) and least <= number <= limits.max):
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")
    return int(number) % (limits.max + 1) if limits.min == 0 else int(number)


def full(
    size: Any, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False, names: Any = None,
) -> Any:  # fmt: skip
    """One value in a shape."""
    value = _plain(fill_value)
    kind = _kind(value) if dtype is None else dtypes.of(dtype)
    shape = called_with((size,))
    if any(length < 0 for length in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension: {list(shape)}")
    return _finished(wrap(filled(shape, _held(value, kind), kind)), device, requires_grad)


def _of_one(value: int) -> Any:
    def function(*size: Any, dtype: Any = None, **general: Any) -> Any:
        shape = called_with((general.pop("size"),)) if "size" in general else called_with(size)
        return full(shape, value, dtype=dtypes.default() if dtype is None else dtype, **general)

    return function


def _like_one(value: int) -> Any:
    def function(input: Any, *, dtype: Any = None, memory_format: Any = None, **general: Any) -> Any:
        return full(tuple(shape_of(input)), value, dtype=kind_of(input) if dtype is None else dtype, **general)

    return function


zeros, ones = _of_one(0), _of_one(1)
zeros_like, ones_like = _like_one(0), _like_one(1)


def arange(
    *bounds: Any, start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, layout: Any = None,
    device: Any = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """Numbers in equal steps, from a start up to but without an end."""
    if len(bounds) == 1 and end is None:
        (end,) = bounds
    elif bounds:
        start, end, step = (*bounds, *(start, end, step)[len(bounds) :])
    start, end, step = map(_plain, (start, end, step))
    if dtype is not None:
        kind = dtypes.of(dtype)
    elif any(isinstance(each, float) for each in (start, end, step)):
        kind = dtypes.default()
    else:
        kind = dtypes.int64
    if kind.kind in "ui":
        start, end, step = map(int, (start, end, step))
    if not all(map(math.isfinite, (start, end))):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if not step:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = -(-(end - start) // step) if kind.kind in "ui" else math.ceil((end - start) / step)
    numbers = np.arange(count, dtype=np.int64)
    inside = np.int64 if kind.kind in "ui" else np.float64
    return _finished(made(inside(start) + inside(step) * numbers, kind), device, requires_grad)
