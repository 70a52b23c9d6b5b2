"""Elements that are picked by index or by mask, and elements that are written there: torch's gather, scatter and their
like. In and out: tensors. `x[index]` is the tensor's own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.arithmetic import masked_fill as _filled
from ..tensor.arithmetic import where as _chosen
from ..tensor.size import wrapped
from .making import scalar_tensor
from .numbers import (
    Plain,
    array,
    here,
    index_of,
    kind_of,
    made,
    need_alike,
    need_tensors,
    places,
    rank_of,
    shape_of,
)


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """The elements of one tensor or another by a condition; of a condition alone, where it is true."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    need_tensors("where", condition=condition)
    if kind_of(condition) not in (dtypes.bool_, dtypes.uint8):
        raise RuntimeError(f"where: the condition must be a boolean tensor, and it is {kind_of(condition)}")
    return _chosen(condition, input, other)


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """The values, with those where the mask is true replaced by one."""
    need_tensors("masked_fill", mask=mask)
    if kind_of(mask) != dtypes.bool_:
        raise RuntimeError(f"masked_fill only supports boolean masks, and this one is {kind_of(mask)}")
    if not isinstance(value, (Plain, bool, int, float, complex, np.generic)):
        raise TypeError(f"masked_fill(): argument 'value' must be Tensor or Number, not {type(value).__name__}")
    if isinstance(value, Plain) and rank_of(value):
        raise RuntimeError(f"masked_fill takes a value without dimensions, and this one has {rank_of(value)}")
    return _filled(input, mask, value if isinstance(value, Plain) else scalar_tensor(value, dtype=kind_of(input)))


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """The indices of all elements that are not 0: a row for each, or an array for each dimension."""
    values = array(input)
    if as_tuple:
        found = np.nonzero(values.reshape(1) if not values.ndim else values)
        return tuple(made(each, dtypes.int64) for each in found)
    return made(np.argwhere(values), dtypes.int64)


@here
def masked_select(input: Any, mask: Any) -> Any:
    """The elements where a mask is true, in a row."""
    need_tensors("masked_select", input=input, mask=mask)
    if kind_of(mask) != dtypes.bool_:
        raise RuntimeError(f"masked_select: expected BoolTensor for mask, and it is {kind_of(mask)}")
    shape = _together("masked_select", shape_of(input), shape_of(mask))
    chosen = np.array(np.broadcast_to(array(mask), shape))

    def gradients(gradient: Any) -> Any:
        whole = np.zeros(shape, gradient.dtype)
        whole[chosen] = gradient
        return (whole,)

    return made(np.broadcast_to(array(input), shape)[chosen], kind_of(input), (input,), gradients)


@here
def index_select(input: Any, dim: int, index: Any) -> Any:
    """The slices of a dimension at these indices."""
    need_tensors("index_select", input=input, index=index)
    place = wrapped(dim, rank_of(input))
    if rank_of(index) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    values = array(input)
    shape = values.shape
    found = index_of("index_select", index, shape[place] if shape else 1, place).reshape(-1)
    if not shape:
        if found.size != 1:
            raise RuntimeError("index_select(): a tensor without dimensions has one element to pick")
        return made(values, kind_of(input), (input,), lambda gradient: (gradient,))

    def gradients(gradient: Any) -> Any:
        whole = np.zeros(shape, gradient.dtype)
        np.add.at(whole, (*(slice(None),) * place, found), gradient)
        return (whole,)

    return made(np.take(values, found, place), kind_of(input), (input,), gradients)


@here
def gather(input: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """By element of an index, the element along a dimension that it names."""
    need_tensors("gather", input=input, index=index)
    place = wrapped(dim, rank_of(input))
    shape, asked = tuple(shape_of(input)), tuple(shape_of(index))
    if 0 in asked:
        return made(np.empty(asked), kind_of(input), (input,), lambda gradient: (np.zeros(shape),))
    _fitting("gather", shape, asked, place)
    found = index_of("gather", index, shape[place] if shape else 1, place)
    at = _grid(found, place)

    def gradients(gradient: Any) -> Any:
        if not shape:
            return (gradient.sum(),)
        whole = np.zeros(shape, gradient.dtype)
        np.add.at(whole, at, gradient)
        return (whole,)

    values = array(input)
    picked = values[at] if shape else np.broadcast_to(values, asked)
    return made(picked, kind_of(input), (input,), gradients)


@here
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """By element of some indices, the element along a dimension; without one, of all elements in a row."""
    need_tensors("take_along_dim", input=input, indices=indices)
    if dim is None:
        return gather(input.view(-1), 0, indices.view(-1))
    if kind_of(indices) != dtypes.int64:
        raise RuntimeError(f"take_along_dim(): dtype of indices should be Long but got {kind_of(indices)}")
    place = wrapped(dim, rank_of(input))
    one, other = list(shape_of(input)), list(shape_of(indices))
    if len(one) != len(other):
        raise RuntimeError("take_along_dim(): input and indices should have the same number of dimensions")
    rest = _together("take_along_dim", [*one[:place], 1, *one[place + 1 :]], [*other[:place], 1, *other[place + 1 :]])
    wide = input.expand([*rest[:place], one[place], *rest[place + 1 :]])
    indices = _around(indices, one[place])
    return gather(wide, place, indices.expand([*rest[:place], other[place], *rest[place + 1 :]]))


def _around(indices: Any, length: int) -> Any:
    """Indices as torch takes them here: those beyond a dimension begin again at its other end."""
    return made(np.mod(array(indices), max(length, 1)), dtypes.int64)


def scatter(input: Any, dim: int, index: Any, src: Any, *, reduce: str | None = None) -> Any:
    """A copy with elements written where an index says; with `reduce`, added or multiplied there."""
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError(f"reduce argument must be either add or multiply, and it is {reduce!r}")
    return _scattered("scatter", input, dim, index, src, reduce)


def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy with elements added where an index says."""
    return _scattered("scatter_add", input, dim, index, src, "add")


@here
def _scattered(name: str, input: Any, dim: int, index: Any, src: Any, reduce: str | None) -> Any:
    place = wrapped(dim, rank_of(input))
    kind = kind_of(input)
    shape, asked = tuple(shape_of(input)), tuple(shape_of(index))
    given = isinstance(src, Plain)
    if given:
        need_alike(name, input=input, src=src)
    if 0 in asked:
        return input.clone()
    _fitting(name, shape, asked, place)
    if given and len(shape_of(src)) != len(asked) and len(asked) + len(shape_of(src)) > 1:
        raise RuntimeError(f"{name}: index and src must have the same number of dimensions")
    if given and any(one > other for one, other in zip(asked, shape_of(src), strict=False)):
        raise RuntimeError(f"Expected index {list(asked)} to be no larger than src {list(shape_of(src))}")
    found = index_of(name, index, shape[place] if shape else 1, place)
    at = _grid(found, place) if shape else ()
    part = tuple(slice(length) for length in asked)
    values = np.array(array(input), dtypes.NUMPY.get(dtypes.PRECISE.get(kind, kind)))
    written = (array(src)[part] if shape else array(src)) if given else np.asarray(src).astype(values.dtype)
    source = np.array(np.broadcast_to(written, asked) if shape else np.asarray(written).reshape(()))
    before = np.array(values) if reduce == "multiply" else None
    with np.errstate(all="ignore"):
        _WRITES[reduce](values, at, source)

    def gradients(gradient: Any) -> Any:
        to_input, to_source = np.array(gradient), np.zeros(shape_of(src) if given else asked, gradient.dtype)
        to_source[part if shape else ()] = gradient[at]
        if reduce is None:
            to_input[at] = 0
        elif reduce == "multiply":
            raise NotImplementedError(f"{name}: the gradient of a product that is written there is not implemented")
        return (to_input, to_source)[: 1 + given]

    del before
    return made(values, kind, (input, *((src,) if given else ())), gradients)


def _add(values: Any, at: Any, source: Any) -> None:
    np.add.at(values, at, source)


def _multiply(values: Any, at: Any, source: Any) -> None:
    np.multiply.at(values, at, source)


def _put(values: Any, at: Any, source: Any) -> None:
    values[at] = source


_WRITES: dict[str | None, Any] = {None: _put, "add": _add, "multiply": _multiply}


def _grid(index: Any, place: int) -> tuple[Any, ...]:
    """Where each element of an index lies: at its own place but for one dimension, where it says it."""
    grid = np.ogrid[tuple(slice(length) for length in index.shape)] if index.ndim else []
    return tuple(index if at == place else each for at, each in enumerate(grid))


def _fitting(name: str, shape: tuple[int, ...], asked: tuple[int, ...], place: int) -> None:
    """Refuse an index that is larger than the tensor, but for the dimension that it is along."""
    if len(asked) != len(shape) and (len(asked) > 1 or len(shape) > 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for at, (one, other) in enumerate(zip(asked, shape, strict=False)):
        if at != place and one > other:
            raise RuntimeError(
                f"{name}(): index of shape {list(asked)} is larger than {list(shape)} apart from {place}"
            )


def _together(name: str, one: Any, other: Any) -> tuple[int, ...]:
    try:
        return tuple(map(int, np.broadcast_shapes(tuple(one), tuple(other))))
    except ValueError as unfit:
        raise RuntimeError(f"{name}: shapes {list(one)} and {list(other)} do not fit each other") from unfit


@here
def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """How often each whole number occurs, or what its weights add up to."""
    kind = kind_of(input)
    if kind.kind not in "ui" or rank_of(input) != 1:
        if 0 in shape_of(input) and rank_of(input) == 1:
            return made(np.zeros(minlength), dtypes.int64)
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    values = array(input).astype(np.int64)
    if values.size and values.min() < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return made(np.bincount(values, minlength=minlength), dtypes.int64)
    if tuple(shape_of(weights)) != values.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    result = kind_of(weights) if kind_of(weights) == dtypes.float32 else dtypes.float64
    return made(np.bincount(values, array(weights).astype(np.float64), minlength), result)


def count_nonzero(input: Any, dim: Any = None) -> Any:
    """How many elements are not 0, of all or along dimensions."""
    return made(np.count_nonzero(array(input), axis=places(input, dim)), dtypes.int64)
