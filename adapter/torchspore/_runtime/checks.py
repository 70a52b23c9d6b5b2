"""What is checked before anything is sent. In: the caller's values with the names of their parameters. Out: nothing, or
an exception of the type that callers already know, whose sentence names the parameter and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .errors import NoGradient
from .framework import Tensor, is_recorded, is_tensor


def check_tensor(name: str, value: Any) -> None:
    if not is_tensor(value):
        raise TypeError(f"{name} must be a MindSpore Tensor, but it is {_kind(value)}.")
    if is_recorded(value):
        raise NoGradient(
            f"{name} takes part in a gradient that is being recorded, and this call passes none on; call it outside "
            f"the differentiated function, or give it mindspore.ops.stop_gradient({name})."
        )


def check_list(name: str, values: Any) -> None:
    if not isinstance(values, list) or not all(is_tensor(value) for value in values):
        raise TypeError(f"{name} must be a list of MindSpore Tensors, but it is {_kind(values)}.")
    for value in values:
        check_tensor(name, value)


def check_count(name: str, values: Sequence[Tensor], count: int) -> None:
    if len(values) != count:
        raise RuntimeError(
            f"{name} must have one tensor for each of the {count} ranks of the group, but has {len(values)}."
        )


def check_dtype(name: str, values: Sequence[Tensor], like: Tensor) -> None:
    for value in values:
        if value.dtype != like.dtype:
            raise ValueError(
                f"{name} has a tensor of {value.dtype}, but the other tensors are {like.dtype}; convert it first."
            )


def check_shape(name: str, value: Tensor, like: Tensor) -> None:
    if value.shape != like.shape:
        raise RuntimeError(f"{name} has a tensor of shape {tuple(value.shape)}, but it must be {tuple(like.shape)}.")


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, but it is {value!r}.")


def _kind(value: Any) -> str:
    if isinstance(value, list | tuple) and any(not is_tensor(item) for item in value):
        return f"a {type(value).__name__} with {next(type(i).__name__ for i in value if not is_tensor(i))} in it"
    return f"a {type(value).__name__}"
