"""Tensors that are made of a rule: even steps, the unit matrix, the indices of a triangle, one value everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import UnsupportedArgument
from ..tensor import dtypes
from ..tensor.devices import check
from ..tensor.limits import finfo, iinfo
from ..tensor.size import called_with
from .making import scalar_tensor, tensor
from .numbers import Plain, array, kind_of, made, rank_of, shape_of


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
        limits = iinfo(kind)
        if any(not limits.min <= each <= limits.max for each in (first, last)[:steps]):
            raise RuntimeError(f"{name}(): value cannot be converted to type {kind} without overflow")
        if name == "linspace" or steps != 1:
            first, last = int(first), int(last)
    alone = name == "logspace" and steps == 1
    if not alone and any(
        isinstance(each, Plain) and _beyond(number, kind) for each, number in ((start, first), (end, last))[:steps]
    ):
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


def zeros(
    *size: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    """A tensor of a shape with 0 everywhere."""
    return _everywhere(size, 0, dtype, device, requires_grad)


def ones(
    *size: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
    """A tensor of a shape with 1 everywhere."""
    return _everywhere(size, 1, dtype, device, requires_grad)


def _everywhere(size: tuple[Any, ...], value: int, dtype: Any, device: Any, requires_grad: bool) -> Any:
    if not size:
        raise TypeError("a tensor of one value needs a shape")
    shape = called_with(size)
    if any(length < 0 for length in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension: {list(shape)}")
    kind = dtypes.default() if dtype is None else dtypes.of(dtype)
    return _finished(np.broadcast_to(np.int8(value), shape), kind, device, requires_grad)


def zeros_like(input: Any, **general: Any) -> Any:
    """A tensor of the shape and dtype of another with 0 everywhere."""
    return full_like(input, 0, **general)


def ones_like(input: Any, **general: Any) -> Any:
    """A tensor of the shape and dtype of another with 1 everywhere."""
    return full_like(input, 1, **general)


def full(
    size: Any, fill_value: Any, *, names: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """A tensor of a shape with one value everywhere, of the dtype of the value unless another is asked for."""
    if names is not None:
        raise UnsupportedArgument("torch.full: dimensions have no names here, so `names` must stay None.")
    shape = called_with((size,))
    if any(length < 0 for length in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension: {list(shape)}")
    one = tensor(_number("full", fill_value), dtype=dtype)
    return _finished(np.broadcast_to(array(one), shape), kind_of(one), device, requires_grad)


def arange(
    *ends: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: bool = False,
    requires_grad: bool = False, **named: Any,
) -> Any:  # fmt: skip
    """Numbers from one to another, which is left out, in steps."""
    given = [_number("arange", each) for each in ends]
    if len(given) == 1 and "start" not in named:
        given = [0, *given]
    names = ("start", "end", "step")
    known = dict(zip(names, given, strict=False)) | {name: _number("arange", each) for name, each in named.items()}
    start, end, step = known.get("start", 0), known["end"], known.get("step", 1)
    whole = all(isinstance(each, (int, np.integer)) for each in (start, end, step))
    kind = dtypes.of(dtype) if dtype is not None else dtypes.int64 if whole else dtypes.default()
    if kind.kind in "bc":
        raise NotImplementedError(f"arange is not implemented for {kind}")
    if not np.isfinite(start) or not np.isfinite(end):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if kind.kind in "ui":
        start, end, step = int(start), int(end), int(step)
        return _finished(np.arange(start, end, step or 1, dtype=np.int64), kind, device, requires_grad)
    count = int(np.ceil((float(end) - float(start)) / float(step)))
    return _finished(float(start) + np.arange(count) * float(step), kind, device, requires_grad)
