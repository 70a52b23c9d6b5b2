"""Slices of a dimension that are changed by their indices: added to, replaced, filled. In and out: tensors; the names
that end in a line write into the first of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.size import wrapped
from .making import scalar_tensor
from .numbers import (
    IndexOutside,
    Plain,
    array,
    here,
    index_of,
    kind_of,
    made,
    need_tensors,
    rank_of,
    shape_of,
)
from .writing import written

At = tuple[Any, ...]
"""What picks the slices out of an array."""


@here
def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """A copy with the slices of another tensor, times a number, added to those at the indices."""
    at = _added_at(input, dim, index, source)
    values, added = _row(np.array(_inside(input))), _inside(source)
    factor = _factor(kind_of(input), alpha)
    with np.errstate(all="ignore"):
        part = (added if factor == 1 else added * values.dtype.type(factor)).reshape(_shape_at(values.shape, at))
        np.add.at(values, at, part)
    given = tuple(shape_of(source))

    def gradients(gradient: Any) -> Any:
        return gradient, (_row(gradient)[at] * np.conj(factor)).reshape(given)

    return made(values.reshape(shape_of(input)), kind_of(input), (input, source), gradients)


def index_add_(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """The tensor, with slices of another added to those at the indices."""
    return written(index_add, input, dim, index, source, alpha=alpha)


@here
def index_copy(input: Any, dim: int, index: Any, source: Any) -> Any:
    """A copy with the slices at the indices replaced by those of another tensor."""
    at = _copied_at(input, dim, index, source)
    values, given = _row(np.array(array(input))), tuple(shape_of(source))
    values[at] = array(source).reshape(_shape_at(values.shape, at))
    shape = tuple(shape_of(input))

    def gradients(gradient: Any) -> Any:
        rest = _row(np.array(gradient))
        part = rest[at].reshape(given)
        rest[at] = 0
        return rest.reshape(shape), part

    return made(values.reshape(shape), kind_of(input), (input, source), gradients)


def index_copy_(input: Any, dim: int, index: Any, source: Any) -> Any:
    """The tensor, with the slices at the indices replaced by those of another."""
    return written(index_copy, input, dim, index, source)


@here
def index_fill(input: Any, dim: int, index: Any, value: Any) -> Any:
    """A copy with one value in the slices at the indices, which may count from the end."""
    need_tensors("index_fill", input=input, index=index)
    kind = kind_of(input)
    if isinstance(value, Plain) and rank_of(value):
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{rank_of(value)} dimension(s)."
        )
    if not kind.is_complex and (kind_of(value).is_complex if isinstance(value, Plain) else isinstance(value, complex)):
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    if kind_of(index) != dtypes.int64:
        raise IndexError(f"index_fill_(): Expected dtype int64 for index, and it is {kind_of(index)}")
    if rank_of(index) > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    place = wrapped(dim, rank_of(input))
    shape = tuple(shape_of(input))
    found, length = np.array(array(index), np.int64).reshape(-1), shape[place] if shape else 1
    if found.size and (found.min() < -length or found.max() >= length) and 0 not in shape[:place] + shape[place + 1 :]:
        wrong = found[(found < -length) | (found >= length)][0]
        raise IndexOutside(f"index {wrong} is out of bounds for dimension {place} with size {length}")
    chosen = np.zeros(shape or (1,), np.bool_)
    if chosen.size:
        chosen[(*(slice(None),) * place, found)] = True
    chosen = chosen.reshape(shape)
    given = isinstance(value, Plain)
    one = value if given else scalar_tensor(value, dtype=kind)
    values = np.where(chosen, array(one.to(kind)).reshape(()), array(input))

    def gradients(gradient: Any) -> Any:
        return (np.where(chosen, 0, gradient), gradient[chosen].sum())[: 1 + given]

    return made(values, kind, (input, *((value,) if given else ())), gradients)


def index_fill_(input: Any, dim: int, index: Any, value: Any) -> Any:
    """The tensor, with one value in the slices at the indices."""
    return written(index_fill, input, dim, index, value)


def _added_at(input: Any, dim: int, index: Any, source: Any) -> At:
    """Where slices are added: there are as many indices as slices, whose shape is that of the tensor's own."""
    need_tensors("index_add", input=input, index=index, source=source)
    place = wrapped(dim, rank_of(input))
    if rank_of(index) > 1:
        raise IndexError(f"index_add_(): Index is supposed to be a vector, but got dim: {rank_of(index)}")
    if kind_of(input) != kind_of(source):
        raise RuntimeError(
            f"index_add_(): self ({kind_of(input)}) and source ({kind_of(source)}) must have the same scalar type"
        )
    own, given = list(shape_of(input)), list(shape_of(source))
    if place and place >= len(given):
        raise RuntimeError(
            f"index_add_(): Indexing dim {place} is out of bounds of the source tensor with dim {len(given)}"
        )
    found = _indices("index_add_", input, index, place)
    if found.size != (given[place] if given else 1):
        raise RuntimeError(
            f"index_add_(): Number of indices ({found.size}) should be equal to source.size(dim): "
            f"({given[place] if given else 1}), for dim: {place}"
        )
    if own and given:
        del own[place], given[place]
    if own != given:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {list(shape_of(input))} source.shape = {list(shape_of(source))}"
        )
    return (*(slice(None),) * place, found)


def _copied_at(input: Any, dim: int, index: Any, source: Any) -> At:
    """The same for slices that are replaced; a single element stands for a slice of one."""
    need_tensors("index_copy", input=input, index=index, source=source)
    place = wrapped(dim, rank_of(input))
    if rank_of(index) > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {rank_of(index)})")
    own, given = list(shape_of(input)), list(shape_of(source))
    count = int(np.prod(shape_of(index), dtype=np.int64))
    if not given and count != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {count})")
    if own and given and len(own) != len(given):
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. "
            f"Source dimensionality ({len(given)}), destination dimensionality ({len(own)})"
        )
    if kind_of(index) != dtypes.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {kind_of(index)}")
    if kind_of(input) != kind_of(source):
        raise RuntimeError(
            f"index_copy_(): self and source expected to have the same dtype, but got (self) {kind_of(input)} and "
            f"(source) {kind_of(source)}"
        )
    del own[place : place + 1], given[place : place + 1]
    if own != given:
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{own} at dimension {place} and source slice shape: {given} at dimension {place}."
        )
    length = shape_of(source)[place] if rank_of(source) else 1
    if length != count:
        raise IndexError(f"index_copy_(): Number of indices ({count}) should be equal to source.size(dim) ({length})")
    return (*(slice(None),) * place, _indices("index_copy_", input, index, place))


def _indices(name: str, input: Any, index: Any, place: int) -> Any:
    """Indices in a row; those of slices without elements are not looked at."""
    shape = shape_of(input)
    rest = [length for at, length in enumerate(shape) if at != place]
    if 0 in rest and kind_of(index) in (dtypes.int64, dtypes.int32):
        return np.zeros(int(np.prod(shape_of(index), dtype=np.int64)), np.int64)
    return index_of(name, index, shape[place] if shape else 1, place).reshape(-1)


def _shape_at(shape: tuple[int, ...], at: At) -> tuple[int, ...]:
    """The shape of what is picked."""
    return (*shape[: len(at) - 1], at[-1].size, *shape[len(at) :])


def _factor(kind: Any, alpha: Any) -> Any:
    """The number that is multiplied with, as the dtype has it."""
    number = alpha.item() if isinstance(alpha, Plain) else alpha
    if isinstance(number, complex) and not kind.is_complex:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return bool(number) if kind == dtypes.bool_ else int(number) if kind.kind in "ui" else number


def _inside(tensor: Any) -> Any:
    """The elements in the dtype to add up in, which for halves is a wider one."""
    values = array(tensor)
    kind = kind_of(tensor)
    return values.astype(dtypes.NUMPY[dtypes.PRECISE[kind]], copy=False) if kind in dtypes.PRECISE else values


def _row(values: Any) -> Any:
    """An array; what has no dimensions as a row of one."""
    return values if values.ndim else values.reshape(1)
