"""Sums, means and extremes: the few that the tensor's own modules, optimisers and clipping need. Their dtypes
are torch's: whole numbers add up as int64 and have no mean.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from ..core.private import in_graph, is_enabled
from . import dtypes, memory
from .arithmetic import where
from .base import attach
from .creating import wrap
from .kernels import cast, computed_in, filled
from .size import wrapped
from .steps import placed, undecided

_Plain = mindspore.Tensor
_ops: Any = mindspore.ops
_dtype = mindspore.Tensor._dtype.__get__
_ndim = mindspore.Tensor.ndim.__get__
_shape = mindspore.Tensor.shape.__get__

GATHERED = {dtypes.bfloat16: dtypes.float32, dtypes.bool_: dtypes.uint8} if memory.on_cpu() else {}
"""In which dtype elements are picked where a CPU has no kernel for their own."""
_SUM = {keepdim: mindspore.ops.ReduceSum(keepdim) for keepdim in (False, True)}
Extreme: dict[str, Any] = {name: namedtuple(name, ("values", "indices")) for name in ("max", "min")}


def _dims(input: Any, dim: Any) -> tuple[int, ...]:
    rank = _ndim(input)
    if dim is None or dim == ():
        return tuple(range(rank))
    asked = (dim,) if isinstance(dim, int) else tuple(dim)
    found = tuple(wrapped(int(each), rank) for each in asked)
    if len(set(found)) != len(found):
        raise RuntimeError("a dimension appears twice in the list of dims")
    return found if rank else ()


def _total(input: Any, dims: tuple[int, ...], keepdim: bool, result: Any) -> Any:
    if not dims:
        return cast(input, result)
    shape = tuple(_shape(input))
    if 0 in shape:  # MindSpore gives whatever is in memory
        kept = [1 if place in dims else length for place, length in enumerate(shape) if keepdim or place not in dims]
        return undecided(filled(tuple(kept), 0, result), input)
    if result.kind in "ui" and memory.on_cpu():  # MindSpore adds up whole numbers as fractions
        with np.errstate(invalid="ignore"):
            values = memory.numpy_values(input).astype(dtypes.NUMPY[result])
        return memory.from_array(np.asarray(values.sum(axis=dims, keepdims=keepdim, dtype=dtypes.NUMPY[result])))
    return cast(_SUM[bool(keepdim)](cast(input, computed_in(result)), dims), result)


def sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum of all elements, or along dimensions."""
    record()
    kind = dtypes.of(_dtype(input))
    result = dtypes.of(dtype) if dtype is not None else dtypes.int64 if kind.kind in "bui" else kind
    if kind == dtypes.bool_:
        input = cast(input, dtypes.int32)
    found = _total(input, _dims(input, dim), keepdim, result)
    return input.clone() if found is input else wrap(found)


def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The mean of all elements, or along dimensions; whole numbers have none unless a dtype is given."""
    kind = dtypes.of(_dtype(input)) if dtype is None else dtypes.of(dtype)
    if kind.kind in "bui":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {kind}"
        )
    if kind in dtypes.PRECISE:
        return wrap(cast(mean(input.to(dtypes.PRECISE[kind]), dim, keepdim), kind))
    dims = _dims(input, dim)
    count = int(np.prod([_shape(input)[each] for each in dims], dtype=np.int64)) if dims else 1
    return sum(input, dim, keepdim, dtype=dtype) / count


def _truths(input: Any, dim: Any, keepdim: bool, all_of: bool) -> Any:
    values = memory.numpy_values(input) != 0
    found = np.asarray((values.all if all_of else values.any)(axis=_dims(input, dim), keepdims=keepdim))
    return wrap(memory.from_array(found.astype(np.uint8) if _dtype(input) == dtypes.uint8 else found))


def all_(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether all elements are true, or all along dimensions."""
    return _truths(input, dim, keepdim, True)


def any_(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether some element is true, or some along dimensions."""
    return _truths(input, dim, keepdim, False)


def _extreme(name: str, reducer: Any, positions: Any) -> Any:
    """The largest or smallest element; along a dimension, also where it is; of two tensors, element by element."""

    def function(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
        record()
        other = dim if isinstance(dim, _Plain) else other
        if other is not None:
            return getattr(input, f"{name}imum")(other)
        kind = dtypes.of(_dtype(input))
        if kind.is_complex:
            raise NotImplementedError(f"{name} is not implemented for {kind}: complex numbers have no order")
        return _of_all(name, reducer, input) if dim is None else along(input, dim, keepdim)

    def along(input: Any, dim: int, keepdim: bool) -> Any:
        place = wrapped(dim, _ndim(input))
        if not _ndim(input):
            return Extreme[name](input.clone(), wrap(filled((), 0, dtypes.int64)))
        if not _shape(input)[place]:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
        index = np.expand_dims(positions(memory.numpy_values(input), place), place)
        values, indices = at_positions(input, place, index), wrap(memory.from_array(index))
        if not keepdim:
            values, indices = values.squeeze(place), indices.squeeze(place)
        return Extreme[name](values, indices)

    function.__name__ = function.__qualname__ = name
    return function


def at_positions(input: Any, place: int, index: Any) -> Any:
    """The elements at positions along a dimension, which an array of the result's shape names."""
    if not index.size or 0 in _shape(input):
        return wrap(undecided(filled(index.shape, 0, _dtype(input)), input))
    kind = dtypes.of(_dtype(input))
    picked = _ops.gather_elements(cast(input, GATHERED.get(kind, kind)), place, memory.from_array(index))
    return wrap(cast(picked, kind))


def _of_all(name: str, reducer: Any, input: Any) -> Any:
    """The extreme of all elements. Equal ones share its gradient."""
    if not _shape_size(input):
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    kind = dtypes.of(_dtype(input))
    values = memory.numpy_values(input)
    found = reducer(values)
    if not (in_graph(input) and is_enabled()):
        return wrap(filled((), found, kind))
    chosen = np.isnan(values) if np.isnan(found) else values == found
    shares = wrap(cast(memory.from_array(chosen / chosen.sum()), kind))
    graph = sum(where(wrap(memory.from_array(chosen)), input, filled((), 0, kind)) * shares)
    return wrap(placed(graph, filled((), found, kind)))


def _shape_size(input: Any) -> int:
    return int(np.prod(_shape(input), dtype=np.int64))


max = _extreme("max", np.max, np.argmax)
min = _extreme("min", np.min, np.argmin)


for _name, _function in {
    "sum": sum,
    "mean": mean,
    "all": all_,
    "any": any_,
    "max": max,
    "min": min,
}.items():
    attach(_name, _function)
attach("mm", lambda self, mat2: self.matmul(mat2))
attach("bmm", lambda self, mat2: self.matmul(mat2))
attach("mv", lambda self, vec: self.matmul(vec))
attach("dot", lambda self, tensor: self.matmul(tensor))
