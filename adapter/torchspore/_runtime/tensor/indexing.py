"""`x[index]` and `x[index] = value`. Numbers, slices, None and Ellipsis give a view; tensors, masks and lists then pick
elements of that view. A write to either goes the one way that all writes go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from . import dtypes, memory
from .base import attach
from .creating import wrap
from .inplace import fitted
from .kernels import filled
from .shapes import narrow, same, select, stepped, unsqueeze
from .steps import embedded
from .views import seen
from .writing import write, write_at

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_ndim = mindspore.Tensor.ndim.__get__
_dtype = mindspore.Tensor._dtype.__get__

SEVERAL = (list, tuple, slice, type(Ellipsis), _Plain)


def _parts(index: Any) -> list[Any]:
    """The parts of an index. A short list that holds more than numbers counts as several parts, as with torch."""
    if isinstance(index, list) and len(index) < 32 and any(isinstance(each, SEVERAL) or each is None for each in index):
        index = tuple(index)
    return list(index) if isinstance(index, tuple) else [index]


def _prepared(part: Any) -> Any:
    """One part: a number, a slice, None, Ellipsis, or an array that picks elements."""
    if part is None or part is Ellipsis or isinstance(part, (slice, bool)):
        return part
    if isinstance(part, _Plain):
        kind = dtypes.of(_dtype(part))
        if kind.kind not in "bui":
            raise IndexError(f"tensors used as indices must be long, int, byte or bool tensors, and this is {kind}")
        if not _ndim(part):
            return bool(part) if kind == dtypes.bool_ else int(part)
        found = memory.numpy_values(part)
        return found.astype(np.bool_) if kind == dtypes.uint8 else found
    if isinstance(part, np.ndarray) and part.ndim:
        return part
    if isinstance(part, Sequence) and not isinstance(part, str):
        found = np.array([_number(each) for each in part])
        return found if found.size else found.astype(np.int64)
    if hasattr(part, "__index__"):
        return part.__index__()
    if isinstance(part, str):
        raise TypeError(f"a tensor has no index {part!r}")
    raise IndexError(f"only integers, slices, ellipsis, None and tensors are valid indices (got {type(part).__name__})")


def _number(part: Any) -> Any:
    return memory.numpy_values(part) if isinstance(part, _Plain) else part


def _consumed(part: Any) -> int:
    """How many dimensions of a tensor one part is for."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    return int(part.ndim) if isinstance(part, np.ndarray) and part.dtype == np.bool_ else 1


def resolved(self: Any, index: Any) -> tuple[Any, list[Any]]:
    """The view that numbers, slices and None lead to, and what picks elements of it, by dimension; nothing if the view
    is all."""
    record()
    parts = [_prepared(each) for each in _parts(index)]
    used = sum(map(_consumed, parts))
    rank = _ndim(self)
    if used > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank}")
    if not any(each is Ellipsis for each in parts):
        parts.append(Ellipsis)
    picks: list[Any] = []
    looked, dim = self, 0
    for part in parts:
        if part is Ellipsis:
            wide = rank - used
            dim += wide
            picks += [None] * wide
            used = rank  # a second one stands for nothing
        elif part is None or isinstance(part, bool):
            looked = unsqueeze(looked, dim)
            picks.append(None if part is None else np.array([part]))
            dim += 1
        elif isinstance(part, np.ndarray):
            picks += [part] + [None] * (_consumed(part) - 1) if part.dtype != np.bool_ else _mask(looked, dim, part)
            dim += _consumed(part)
        elif isinstance(part, slice):
            looked = _sliced(looked, dim, part)
            picks.append(None)
            dim += 1
        else:
            looked = select(looked, dim, part)
    return looked, picks if any(each is not None for each in picks) else []


def _mask(looked: Any, dim: int, mask: Any) -> list[Any]:
    """The places where a mask is true, by dimension."""
    shape = tuple(_shape(looked))[dim : dim + mask.ndim]
    if mask.shape != shape:
        raise IndexError(
            f"The shape of the mask {list(mask.shape)} at index {dim} does not match the shape of the indexed tensor "
            f"{list(shape)} at index {dim}"
        )
    return list(np.nonzero(mask))


def _sliced(self: Any, dim: int, part: slice) -> Any:
    start, stop, step = (None if each is None else int(each.__index__()) for each in (part.start, part.stop, part.step))
    if step is not None and step <= 0:
        raise ValueError("step must be greater than zero")
    whole = _shape(self)[dim]
    begin, end, step = slice(start, stop, step).indices(whole)
    end = max(begin, end)
    if step == 1:
        return self if (begin, end) == (0, whole) else narrow(self, dim, begin, end - begin)
    return stepped(narrow(self, dim, begin, end - begin), dim, step)


def _places(looked: Any, picks: list[Any]) -> Any:
    """The numbers of the picked elements, in the order of the result."""
    shape = tuple(_shape(looked))
    for dim, pick in enumerate(picks):
        if pick is not None and pick.dtype != np.bool_ and pick.size:
            low, high = pick.min(), pick.max()
            if low < -shape[dim] or high >= shape[dim]:
                wrong = int(low if low < -shape[dim] else high)
                raise IndexError(f"index {wrong} is out of bounds for dimension {dim} with size {shape[dim]}")
    numbers = np.arange(np.prod(shape, dtype=np.int64), dtype=np.int64).reshape(shape)
    try:
        return np.ascontiguousarray(numbers[tuple(slice(None) if pick is None else pick for pick in picks)])
    except IndexError:
        shapes = ", ".join(str(list(pick.shape)) for pick in picks if pick is not None)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None


def getitem(self: Any, index: Any) -> Any:
    """The elements at an index."""
    looked, picks = resolved(self, index)
    if not picks:
        return looked if looked is not self else seen(self, same)
    places = _places(looked, picks)
    flat = mindspore.ops.reshape(looked, (-1,))
    if not places.size:
        found = embedded(looked, filled(places.shape, 0, _dtype(looked)), lambda numbers: numbers.reshape(-1)[:0])
    else:
        found = mindspore.ops.reshape(
            mindspore.ops.gather(flat, memory.from_array(places.reshape(-1)), 0), places.shape
        )
    return wrap(found)


def setitem(self: Any, index: Any, value: Any) -> None:
    """Write to the elements at an index."""
    looked, picks = resolved(self, index)
    if not picks:
        write(looked, fitted(value, looked, tuple(_shape(looked))), replaces=True)
        return
    places = _places(looked, picks)
    write_at(looked, places, fitted(value, looked, places.shape))


attach("__getitem__", getitem)
attach("__setitem__", setitem)
