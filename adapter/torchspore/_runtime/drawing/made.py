"""What all tensors of random numbers have in common. In: what a program asks for besides the numbers. Out: how they are
to be drawn, and the tensor made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core import arrays
from ..core.errors import UnsupportedArgument
from ..tensor import dtypes
from ..tensor.devices import check
from ..tensor.size import called_with

Draw = Callable[[Sequence[int], str, Sequence[int] | None], Any]
"""How numbers are drawn for a shape, a dtype by its name and, where memory has another order, strides."""


class Wanted(NamedTuple):
    """What a program may say of any new tensor."""

    dtype: Any = None
    layout: Any = None
    device: Any = None
    requires_grad: bool | None = False
    pin_memory: bool | None = False
    memory_format: Any = None


def of_shape(function: str, size: Sequence[Any], wanted: Wanted, draw: Draw, dtype: Any = None) -> Any:
    """A tensor of a shape, of `dtype` unless the program asks for another, of the default dtype if there is none."""
    shape = called_with(tuple(size))
    if any(length < 0 for length in shape):
        lowest = min(shape)
        raise RuntimeError(f"Trying to create tensor with negative dimension {lowest}: {list(shape)}")
    kind = wanted.dtype if wanted.dtype is not None else dtypes.default() if dtype is None else dtype
    return _tensor(function, wanted, shape, dtypes.of(kind).name, None, draw)


def like(function: str, other: Any, wanted: Wanted, draw: Draw) -> Any:
    """A tensor like another; numbers are drawn in the order in which its elements lie in memory, unless the program
    asks for rows."""
    shape, dtype, strides = arrays.layout(other)
    order = None if _in_rows(function, wanted.memory_format) else strides
    name = dtype if wanted.dtype is None else dtypes.of(wanted.dtype).name
    return _tensor(function, wanted, shape, name, order, draw)


def _tensor(
    function: str, wanted: Wanted, shape: Sequence[int], dtype: str, strides: Sequence[int] | None, draw: Draw
) -> Any:
    check(wanted.device)
    if wanted.layout is not None and _last(wanted.layout) != "strided":
        raise UnsupportedArgument(f"{function}: tensors are strided here; there is no layout {wanted.layout}.")
    made = arrays.to_tensor(draw(shape, dtype, strides), dtype)
    return made.requires_grad_() if wanted.requires_grad else made


def _in_rows(function: str, memory_format: Any) -> bool:
    if memory_format is None or _last(memory_format) == "preserve_format":
        return False
    if _last(memory_format) != "contiguous_format":
        raise UnsupportedArgument(f"{function}: tensors lie in rows here; there is no {memory_format}.")
    return True


def _last(value: Any) -> str:
    return str(value).rpartition(".")[2]


def number(value: Any) -> Any:
    """A number of Python for a tensor with one element."""
    return value.item() if arrays.is_tensor(value) else value
