"""What is checked before anything is sent. In: the caller's values with the names of their parameters. Out: nothing, or
an exception of the type that callers already know, whose sentence names the parameter and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..core.errors import NoGradient, UnfitObjects, UnfitTensor
from ..core.foreign import kind, remedy
from ..core.framework import Tensor, is_recorded, is_tensor


def check_tensor(name: str, value: Any) -> None:
    if not is_tensor(value):
        raise TypeError(f"{name} must be a MindSpore Tensor, but it is {_kind(value)}{_advice(value)}.")
    if is_recorded(value):
        raise NoGradient(
            f"{name} takes part in a gradient that is being recorded, and this call passes none on; call it outside "
            f"the differentiated function, or give it mindspore.ops.stop_gradient({name})."
        )


def check_list(name: str, values: Any) -> None:
    if not isinstance(values, list) or not all(is_tensor(value) for value in values):
        raise TypeError(f"{name} must be a list of MindSpore Tensors, but it is {_kind(values)}{_advice(values)}.")
    for value in values:
        check_tensor(name, value)


def check_count(name: str, values: Sequence[Tensor], count: int) -> None:
    if len(values) != count:
        raise UnfitTensor(
            f"{name} must have one tensor for each of the {count} ranks of the group, but has {len(values)}."
        )


def check_dtype(name: str, values: Sequence[Tensor], dtype: str) -> None:
    for value in values:
        if str(value.dtype) != dtype:
            raise UnfitTensor(
                f"{name} has a tensor of {value.dtype}, but the other tensors are {dtype}; convert it first."
            )


def check_shape(name: str, value: Tensor, like: Tensor) -> None:
    if value.shape != like.shape:
        raise UnfitTensor(f"{name} has a tensor of shape {tuple(value.shape)}, but it must be {tuple(like.shape)}.")


def check_parts(name: str, value: Tensor, part: Tensor, count: int) -> None:
    if value.size != count * part.size:
        raise UnfitTensor(
            f"{name} has {value.size} elements, but must have {count * part.size}: the {part.size} of one rank for "
            f"each of the {count} ranks of the group."
        )


def check_split(name: str, value: Tensor, sizes_name: str, sizes: Any, count: int) -> None:
    if not value.ndim:
        raise UnfitTensor(f"{name} is a scalar, which cannot be cut into parts; give it at least one dimension.")
    rows = value.shape[0]
    if not sizes:
        if rows % count:
            raise UnfitTensor(
                f"{name} has {rows} rows, which {count} ranks cannot share evenly; give {sizes_name} as well."
            )
        return
    if not isinstance(sizes, list | tuple) or not all(isinstance(size, int | numpy.integer) for size in sizes):
        raise TypeError(f"{sizes_name} must be a list of ints, but it is {sizes!r}.")
    if len(sizes) != count or sum(sizes) != rows or min(sizes) < 0:
        raise UnfitTensor(
            f"{sizes_name} must have one size for each of the {count} ranks of the group, {rows} rows of {name} in "
            f"all, but it is {list(sizes)}."
        )


def check_objects(name: str, values: Any, count: int) -> None:
    if not isinstance(values, list):
        raise UnfitObjects(f"{name} must be a list, but it is {_kind(values)}.")
    if count and len(values) != count:
        raise UnfitObjects(
            f"{name} must have one place for each of the {count} ranks of the group, but has {len(values)}."
        )
    if not values:
        raise UnfitObjects(f"{name} must not be empty.")


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool | numpy.bool_):
        raise TypeError(f"{name} must be True or False, but it is {value!r}.")


def _kind(value: Any) -> str:
    if isinstance(value, list | tuple) and any(not is_tensor(item) for item in value):
        return f"a {type(value).__name__} with {next(kind(item) for item in value if not is_tensor(item))} in it"
    return f"a {kind(value)}"


def _advice(value: Any) -> str:
    """What to do about a value of torch, after what it is."""
    said = remedy([value])
    return f": {said.rstrip('.')}" if said else ""
