"""Elements in another order, or several times: flipped, rolled, repeated, sorted; and which ones there are. In and out:
tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes
from ..tensor.size import called_with, wrapped
from .numbers import Plain, array, here, kind_of, made, places, rank_of, shape_of


@here
def flip(input: Any, *dims: Any) -> Any:
    """The elements in reverse order along dimensions."""
    asked = called_with(dims)
    at = places(input, asked) if asked else ()
    return made(np.flip(array(input), at), kind_of(input), (input,), lambda gradient: (np.flip(gradient, at),))


@here
def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """The elements moved along dimensions; those that leave at one end come in at the other."""
    moves = tuple(shifts) if isinstance(shifts, (tuple, list)) else (int(shifts),)
    if dims not in (None, (), []) and not rank_of(input):
        raise IndexError("roll: the tensor has no dimensions")
    asked = () if dims is None else tuple(dims) if isinstance(dims, (tuple, list)) else (int(dims),)
    if not moves:
        raise RuntimeError("`shifts` required")
    if len(moves) != len(asked) and (asked or len(moves) > 1):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(moves)}, dims:{len(asked)}")
    at = tuple(wrapped(each, rank_of(input)) for each in asked) if rank_of(input) and asked else None
    back = tuple(-each for each in moves)

    def rolled(values: Any, by: tuple[int, ...]) -> Any:
        return np.roll(values, by, at) if at is not None else np.roll(values, by[0])

    return made(rolled(array(input), moves), kind_of(input), (input,), lambda gradient: (rolled(gradient, back),))


@here
def tile(input: Any, *dims: Any) -> Any:
    """The elements repeated along dimensions; missing counts in front are one."""
    counts = called_with(dims)
    shape = tuple(shape_of(input))
    counts = (1,) * (len(shape) - len(counts)) + counts
    if any(count < 0 for count in counts):
        raise RuntimeError(f"Trying to create tensor with negative dimension: {list(counts)}")
    whole = (1,) * (len(counts) - len(shape)) + shape

    def gradients(gradient: Any) -> Any:
        pairs = [length for pair in zip(counts, whole, strict=True) for length in pair]
        return (gradient.reshape(pairs).sum(axis=tuple(range(0, len(pairs), 2))).reshape(shape),)

    return made(np.tile(array(input), counts), kind_of(input), (input,), gradients)


@here
def repeat_interleave(input: Any, repeats: Any = None, dim: Any = None, *, output_size: Any = None) -> Any:
    """Each slice of a dimension repeated; of counts alone, each index as often as its count says."""
    if repeats is None:
        if rank_of(input) != 1:
            raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
        counts = _counts(input)
        return made(np.repeat(np.arange(counts.size), counts), kind_of(input))
    flat = input.reshape(-1) if dim is None else input
    place = 0 if dim is None else wrapped(dim, rank_of(input))
    values = array(flat)
    if not values.ndim:
        flat = flat.reshape(1)
        values = array(flat)
    counts = _counts(repeats) if isinstance(repeats, Plain) else np.array([int(repeats)])
    if counts.ndim and counts.size not in (1, values.shape[place]):
        raise RuntimeError("repeats must have the same size as input along dim")
    if counts.size == 1:
        counts = np.broadcast_to(counts.reshape(-1), values.shape[place : place + 1])
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    if output_size is not None and int(output_size) != counts.sum():
        raise RuntimeError(f"allocated size does not match required size: {output_size} is not {counts.sum()}")
    counts, shape = np.array(counts), values.shape
    origin = np.repeat(np.arange(shape[place]), counts)

    def gradients(gradient: Any) -> Any:
        whole = np.zeros(shape, gradient.dtype)
        np.add.at(np.moveaxis(whole, place, 0), origin, np.moveaxis(gradient, place, 0))
        return (whole,)

    return made(np.take(values, origin, place), kind_of(flat), (flat,), gradients)


def _counts(repeats: Any) -> Any:
    if kind_of(repeats) not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(f"repeats has to be Long or Int tensor, and it is {kind_of(repeats)}")
    if rank_of(repeats) > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    found = np.array(array(repeats)).reshape(-1)
    if (found < 0).any():
        raise RuntimeError("repeats can not be negative")
    return found


def argsort(input: Any, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Any:
    """The indices that put elements along a dimension in order. Equal ones stay in theirs; nan is the largest."""
    place = wrapped(dim, rank_of(input))
    if kind_of(input).is_complex:
        raise RuntimeError("Sort does not support complex dtypes on CPU")
    values = array(input)
    if not values.ndim:
        return made(0, dtypes.int64)
    if not descending:
        return made(np.argsort(values, axis=place, kind="stable"), dtypes.int64)
    reverse = np.argsort(np.flip(values, place), axis=place, kind="stable")
    return made(values.shape[place] - 1 - np.flip(reverse, place), dtypes.int64)


def unique(
    input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """The different elements, or slices of a dimension, in order; also where each went, and how often each occurs."""
    values = array(input)
    if kind_of(input).is_complex:
        raise NotImplementedError(f"unique is not implemented for {kind_of(input)}")
    axis = None if dim is None else wrapped(dim, rank_of(input))
    if axis is not None and not rank_of(input):
        raise IndexError(f"unique: dimension {dim} of a tensor that has none")
    if axis is not None and not values.size:
        return _unique_of_nothing(input, axis, return_inverse, return_counts)
    if axis is None:
        found, inverse, counts = np.unique(values, return_inverse=True, return_counts=True, equal_nan=False)
    else:
        found, inverse, counts = _unique_slices(values, axis)
    results = [made(found, kind_of(input))]
    if return_inverse:
        results.append(made(inverse.reshape(values.shape) if axis is None else inverse.reshape(-1), dtypes.int64))
    if return_counts:
        results.append(made(counts, dtypes.int64))
    return tuple(results) if len(results) > 1 else results[0]


def _unique_slices(values: Any, axis: int) -> tuple[Any, Any, Any]:
    """The different slices of a dimension in order; one that holds nan is like no other."""
    rows = np.moveaxis(values, axis, 0)
    flat = rows.reshape(len(rows), -1)
    order = np.lexsort(flat.T[::-1])
    new = np.ones(len(rows), bool)
    new[1:] = (flat[order][1:] != flat[order][:-1]).any(1)
    inverse = np.empty(len(rows), np.int64)
    inverse[order] = np.cumsum(new) - 1
    return np.moveaxis(rows[order[new]], 0, axis), inverse, np.bincount(inverse)


def _unique_of_nothing(input: Any, axis: int, return_inverse: bool, return_counts: bool) -> Any:
    """What is different among slices without elements: nothing, if there are none."""
    shape = tuple(shape_of(input))
    if shape[axis]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
    nothing = made(np.empty(0), dtypes.int64)
    results = [made(np.empty(shape), kind_of(input)), *([nothing] * (return_inverse + return_counts))]
    return tuple(results) if len(results) > 1 else results[0]
