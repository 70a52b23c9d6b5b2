"""Tensors that are made of a rule: even steps, the unit matrix, the indices of a triangle, one value everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.devices import check
from ..tensor.limits import finfo
from .making import scalar_tensor
from .numbers import Plain, array, kind_of, made, rank_of, shape_of

General = dict[str, Any]


def _finished(values: Any, kind: Any, device: Any, requires_grad: bool) -> Any:
    check(device)
    result = made(values, kind)
    return result.requires_grad_() if requires_grad else result


def _number(name: str, value: Any) -> Any:
    if not isinstance(value, Plain):
        return value
    if rank_of(value):
        raise RuntimeError(f"{name} only supports 0-dimensional start and end tensors")
    return array(value).item()


def _stepped(name: str, start: Any, end: Any, steps: Any, dtype: Any) -> tuple[Any, Any]:
    """Numbers in even steps, both ends among them, and the dtype that they are to have."""
    if steps is None:
        raise TypeError(f"{name}() misses the argument 'steps'")
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    first, last = _number(name, start), _number(name, end)
    complex_ = any(isinstance(each, complex) for each in (first, last))
    kind = (dtypes.default_complex() if complex_ else dtypes.default()) if dtype is None else dtypes.of(dtype)
    if complex_ and not kind.is_complex:
        raise RuntimeError(f"{name}(): complex ends cannot be cast to {kind}")
    if kind.kind in "ui":
        first, last = int(first), int(last)
    if any(isinstance(each, Plain) and _beyond(number, kind) for each, number in ((start, first), (end, last))):
        raise RuntimeError(f"{name}(): value cannot be converted to type {kind} without overflow")
    inside = np.complex128 if kind.is_complex else np.float64
    if steps == 1:
        return np.array([first], inside), kind
    step = (inside(last) - inside(first)) / (steps - 1) if steps else inside(0)
    at = np.arange(steps)
    return np.where(at < steps // 2, first + step * at, last - step * (steps - 1 - at)), kind


def _beyond(number: Any, kind: Any) -> bool:
    """Whether a float dtype cannot hold a number that is finite."""
    return bool(kind.kind == "f" and np.isfinite(number) and abs(number) > finfo(kind).max)


def linspace(
    start: Any, end: Any, steps: Any = None, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """Numbers in even steps from one to another."""
    values, kind = _stepped("linspace", start, end, steps, dtype)
    return _finished(np.trunc(values) if kind.kind in "ui" else values, kind, device, requires_grad)


def logspace(
    start: Any, end: Any, steps: Any = None, base: float = 10.0, *, dtype: Any = None, layout: Any = None,
    device: Any = None, pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """The powers of a base whose exponents are in even steps."""
    exponents, kind = _stepped("logspace", start, end, steps, dtype)
    with np.errstate(all="ignore"):
        values = np.power(np.asarray(base, exponents.dtype), exponents)
    return _finished(np.trunc(values) if kind.kind in "ui" else values, kind, device, requires_grad)


def eye(
    n: int, m: Any = None, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    """Ones on the diagonal, and 0 elsewhere."""
    width = n if m is None else m
    if n < 0 or width < 0:
        raise RuntimeError(f"n and m must be greater or equal to 0, and they are {n} and {width}")
    return _finished(np.eye(n, width), dtypes.default() if dtype is None else dtypes.of(dtype), device, requires_grad)


def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """The rows and columns of the elements on and below a diagonal."""
    return _triangle(np.tri(_length(row), _length(col), offset, dtype=bool), dtype, device)


def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """The rows and columns of the elements on and above a diagonal."""
    return _triangle(~np.tri(_length(row), _length(col), offset - 1, dtype=bool), dtype, device)


def _length(number: int) -> int:
    if number < 0:
        raise RuntimeError(f"row and col must be non-negative, got {number}")
    return number


def _triangle(mask: Any, dtype: Any, device: Any) -> Any:
    return _finished(np.stack(np.nonzero(mask)), dtypes.int64 if dtype is None else dtypes.of(dtype), device, False)


def full_like(
    input: Any, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False, memory_format: Any = None,
) -> Any:  # fmt: skip
    """A tensor of the shape and dtype of another, with one value everywhere."""
    kind = kind_of(input) if dtype is None else dtypes.of(dtype)
    one = scalar_tensor(fill_value, dtype=kind)
    return _finished(np.broadcast_to(array(one), tuple(shape_of(input))), kind, device, requires_grad)
