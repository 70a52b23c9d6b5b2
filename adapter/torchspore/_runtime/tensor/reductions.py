"""Sums, means, extremes and norms: the few that the tensor's own modules, optimisers and clipping need. Their dtypes
are torch's: whole numbers add up as int64 and have no mean.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from . import dtypes, memory
from .base import attach
from .creating import wrap
from .kernels import cast, computed_in, filled
from .size import wrapped
from .steps import undecided

_Plain = mindspore.Tensor
_ops: Any = mindspore.ops
_dtype = mindspore.Tensor._dtype.__get__
_ndim = mindspore.Tensor.ndim.__get__
_shape = mindspore.Tensor.shape.__get__

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
    dims = _dims(input, dim)
    count = int(np.prod([_shape(input)[each] for each in dims], dtype=np.int64)) if dims else 1
    return sum(input, dim, keepdim, dtype=dtype) / count


def _truths(input: Any, dim: Any, keepdim: bool, all_of: bool) -> Any:
    values = memory.numpy_values(input) != 0
    found = (values.all if all_of else values.any)(axis=_dims(input, dim), keepdims=keepdim)
    return wrap(memory.from_array(np.asarray(found)))


def all_(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return _truths(input, dim, keepdim, True)


def any_(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return _truths(input, dim, keepdim, False)


def _extreme(name: str, reducer: Any, positions: Any) -> Any:
    """The largest or smallest element; along a dimension, also where it is; of two tensors, element by element."""

    def function(input: Any, dim: Any = None, keepdim: bool = False, *, other: Any = None) -> Any:
        record()
        other = dim if isinstance(dim, _Plain) else other
        if other is not None:
            return getattr(input, f"{name}imum")(other)
        kind = dtypes.of(_dtype(input))
        if dim is None:
            flat = input.reshape(-1)
            return flat[int(positions(memory.numpy_values(flat)))]
        place = wrapped(dim, _ndim(input))
        where = positions(memory.numpy_values(input), place)
        index = memory.from_array(np.ascontiguousarray(np.expand_dims(where, place)))
        picked = _ops.gather_elements(cast(input, computed_in(kind)), place, index)
        values = wrap(cast(picked, kind))
        indices = wrap(index)
        if not keepdim:
            values, indices = values.squeeze(place), indices.squeeze(place)
        return Extreme[name](values, indices)

    function.__name__ = function.__qualname__ = name
    return function


max = _extreme("max", np.max, np.argmax)
min = _extreme("min", np.min, np.argmin)


def norm(input: Any, p: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The vector norm of all elements, or along dimensions."""
    if p in ("fro", None):
        p = 2
    if dtype is not None:
        input = input.to(dtype)
    size = input.abs()
    if p == float("inf") or p == float("-inf"):
        dims = _dims(input, dim)
        reduce = _ops.ReduceMax(keepdim) if p > 0 else _ops.ReduceMin(keepdim)
        return wrap(reduce(size, dims))
    if p == 0:
        return sum((input != 0).to(_dtype(size)), dim, keepdim)
    if p == 1:
        return sum(size, dim, keepdim)
    if p == 2:
        return sum(input * input, dim, keepdim).sqrt()
    return sum(size**p, dim, keepdim) ** (1.0 / p)


for _name, _function in {
    "sum": sum,
    "mean": mean,
    "all": all_,
    "any": any_,
    "max": max,
    "min": min,
    "norm": norm,
}.items():
    attach(_name, _function)
attach("mm", lambda self, mat2: self.matmul(mat2))
attach("bmm", lambda self, mat2: self.matmul(mat2))
attach("mv", lambda self, vec: self.matmul(vec))
attach("dot", lambda self, tensor: self.matmul(tensor))
