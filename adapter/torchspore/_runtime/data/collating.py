"""Batches from samples. In: a list of samples, or one. Out: the same structure with tensors in it. `make` says what an
array becomes: a tensor, or in a worker something that becomes one in the process that asked for it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ..core import arrays

Make = Callable[[Any, str], Any]
FOUND = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
_TEXT_OR_OBJECTS = "SUOMm"


def default_collate(batch: Sequence[Any]) -> Any:
    """A batch of samples: numbers, arrays and tensors become tensors with one more dimension; what holds them stays."""
    return collated(batch, arrays.to_tensor)


def default_convert(data: Any) -> Any:
    """One sample with tensors in the place of arrays."""
    return converted(data, arrays.to_tensor)


def collated(batch: Sequence[Any], make: Make) -> Any:
    """What `default_collate` does, for any way to make a tensor."""
    first = batch[0]
    if arrays.is_tensor(first):
        return make(_stacked([arrays.to_array(each) for each in batch]), arrays.layout(first).dtype)
    if isinstance(first, np.ndarray):
        if first.dtype.kind in _TEXT_OR_OBJECTS:
            raise TypeError(FOUND.format(first.dtype))
        stacked = _stacked(batch)
        return make(stacked, str(stacked.dtype))
    if isinstance(first, np.bool_ | np.number | int | float) and not isinstance(first, np.timedelta64):
        array = _numbers(batch, first)
        return make(array, str(array.dtype))
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return _mapping(first, {key: collated([each[key] for each in batch], make) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(collated(each, make) for each in zip(*batch, strict=False)))
    if isinstance(first, Sequence):
        if any(len(each) != len(first) for each in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return _sequence(first, [collated(each, make) for each in zip(*batch, strict=True)])
    raise TypeError(FOUND.format(type(first)))


def converted(data: Any, make: Make) -> Any:
    """What `default_convert` does, for any way to make a tensor."""
    if arrays.is_tensor(data):
        return data
    if isinstance(data, np.ndarray | np.generic):
        if np.asarray(data).dtype.kind in _TEXT_OR_OBJECTS:
            return data
        return make(np.asarray(data), str(np.asarray(data).dtype))
    if isinstance(data, Mapping):
        return _mapping(data, {key: converted(data[key], make) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(converted(each, make) for each in data))
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _sequence(data, [converted(each, make) for each in data])
    return data


def _numbers(batch: Iterable[Any], first: Any) -> Any:
    """An array of numbers. Of Python's, floats have 64 bits and so have integers; floats after an integer have 32."""
    if isinstance(first, np.generic):
        return np.array(batch)
    if isinstance(first, float):
        return np.array(batch, np.float64)
    array = np.array(batch)
    return array.astype({"i": np.int64, "f": np.float32}.get(array.dtype.kind, array.dtype))


def _stacked(parts: Sequence[Any]) -> Any:
    for place, part in enumerate(parts):
        if part.shape != parts[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(parts[0].shape)} at entry 0 and "
                f"{list(part.shape)} at entry {place}"
            )
    return np.stack(parts)


def _mapping(like: Any, values: dict[Any, Any]) -> Any:
    """Values in a mapping of the same kind, with whatever else it holds, if it lets itself be made so."""
    try:
        if not isinstance(like, MutableMapping):
            return type(like)(values)
        clone = copy.copy(like)
        clone.update(values)
        return clone
    except TypeError:
        return values


def _sequence(like: Any, values: list[Any]) -> Any:
    """Values in a sequence of the same kind, if it lets itself be made so; instead of a tuple a list."""
    if isinstance(like, tuple):
        return values
    try:
        if not isinstance(like, MutableSequence):
            return type(like)(values)
        clone = copy.copy(like)
        for place, value in enumerate(values):
            clone[place] = value
        return clone
    except TypeError:
        return values
