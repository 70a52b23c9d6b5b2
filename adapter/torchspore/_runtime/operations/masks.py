"""Elements that are written where a mask is true, or where several indices meet. In and out: tensors; the names that
end in a line write into the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.computed import summed_to
from .numbers import IndexOutside, Plain, array, here, kind_of, made, need_tensors, shape_of
from .writing import written


@here
def masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """A copy with the elements of another tensor, one after another, where a mask is true."""
    need_tensors("masked_scatter", input=input, mask=mask, source=source)
    if kind_of(input) != kind_of(source):
        raise RuntimeError(
            f"masked_scatter: expected self and source to have same dtypes but got {kind_of(input)} and "
            f"{kind_of(source)}"
        )
    if kind_of(mask) != dtypes.bool_:
        raise RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {kind_of(mask)}")
    try:
        shape = np.broadcast_shapes(tuple(shape_of(input)), tuple(shape_of(mask)))
    except ValueError as unfit:
        raise RuntimeError(
            f"The size of tensor a {list(shape_of(input))} must match the size of tensor b {list(shape_of(mask))}"
        ) from unfit
    chosen = np.array(np.broadcast_to(array(mask), shape))
    count, given = int(chosen.sum()), tuple(shape_of(source))
    flat = array(source).reshape(-1)
    if flat.size < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    values = np.array(np.broadcast_to(array(input), shape))
    values[chosen] = flat[:count]

    def gradients(gradient: Any) -> Any:
        to_source = np.zeros(flat.size, gradient.dtype)
        to_source[:count] = gradient[chosen]
        return np.where(chosen, 0, gradient), to_source.reshape(given)

    return made(values, kind_of(input), (input, source), gradients)


def masked_scatter_(input: Any, mask: Any, source: Any) -> Any:
    """The tensor, with the elements of another where a mask is true."""
    return written(masked_scatter, input, mask, source)


@here
def index_put(input: Any, indices: Sequence[Any], values: Any, accumulate: bool = False) -> Any:
    """A copy with values at the places that indices, one per dimension, or masks name together; or with them added
    there."""
    need_tensors("index_put", input=input, values=values)
    kind = kind_of(input)
    at = _places(input, indices)
    if kind_of(values) != kind:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {kind} for the destination and "
            f"{kind_of(values)} for the source."
        )
    inside = dtypes.NUMPY[dtypes.PRECISE.get(kind, kind)]
    found, given = np.array(array(input), inside), tuple(shape_of(values))
    try:
        part = found[at]
    except IndexError as outside:
        raise IndexOutside(str(outside)) from outside
    try:
        new = np.broadcast_to(array(values), np.shape(part))
    except ValueError as unfit:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(given)} cannot be broadcast to indexing result of shape "
            f"{list(np.shape(part))}"
        ) from unfit
    if accumulate:
        np.add.at(found, at, new)
    else:
        found[at] = new

    def gradients(gradient: Any) -> Any:
        rest = np.array(gradient)
        if not accumulate:
            rest[at] = 0
        return rest, summed_to(gradient[at], given)

    return made(found, kind, (input, values), gradients)


def index_put_(input: Any, indices: Sequence[Any], values: Any, accumulate: bool = False) -> Any:
    """The tensor, with values at the places that indices name together."""
    return written(index_put, input, indices, values, accumulate)


def _places(input: Any, indices: Sequence[Any]) -> tuple[Any, ...]:
    """Indices as NumPy takes them."""
    if not indices:
        raise RuntimeError("index_put needs at least one index")
    shape, at = tuple(shape_of(input)), []
    used = 0
    for each in indices:
        if not isinstance(each, Plain):
            raise TypeError(f"index_put: an index is a Tensor, not {type(each).__name__}")
        kind, own = kind_of(each), tuple(shape_of(each))
        if kind not in (dtypes.int64, dtypes.int32, dtypes.bool_, dtypes.uint8):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        is_mask = kind in (dtypes.bool_, dtypes.uint8)
        if is_mask and own != shape[used : used + len(own)]:
            raise IndexError(
                f"The shape of the mask {list(own)} at index {used} does not match the shape of the indexed tensor "
                f"{list(shape)} at index {used}"
            )
        used += len(own) if is_mask else 1
        at.append(np.array(array(each), np.bool_ if is_mask else np.int64))
    if used > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)} (got {used})")
    return tuple(at)
