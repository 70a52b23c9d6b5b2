"""What the modules of operations share: tensors as arrays, arrays as tensors in the graph of what they were computed
of, and MindSpore's own functions in their place where there is no CPU.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from ..tensor import dtypes, memory
from ..tensor.computed import Gradients, computed, tensor_of
from ..tensor.creating import wrap
from ..tensor.size import wrapped

Plain = mindspore.Tensor
dtype_of = mindspore.Tensor._dtype.__get__
shape_of = mindspore.Tensor.shape.__get__
rank_of = mindspore.Tensor.ndim.__get__


def here(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function on a CPU; elsewhere `mindspore.mint` has one of the same name, which is taken."""

    @functools.wraps(function)
    def operation(*arguments: Any, **keywords: Any) -> Any:
        record()
        native = None if memory.on_cpu() else getattr(mindspore.mint, function.__name__, None)
        return function(*arguments, **keywords) if native is None else wrap(native(*arguments, **keywords))

    return operation


def kind_of(tensor: Any) -> Any:
    return dtypes.of(dtype_of(tensor))


def array(tensor: Any) -> Any:
    """The elements, which share memory with the tensor where they can."""
    return memory.numpy_values(tensor)


def kept(tensor: Any) -> Any:
    """The elements as they are now, for the time when a gradient is asked for."""
    return np.array(memory.numpy_values(tensor))


def made(values: Any, dtype: Any, operands: Sequence[Any] = (), gradients: Gradients | None = None) -> Any:
    """A tensor of values, in the graph of the tensors that they were computed of."""
    if gradients is None:
        return wrap(tensor_of(values, dtype))
    return wrap(computed(values, dtype, operands, gradients))


def places(tensor: Any, dim: Any) -> tuple[int, ...]:
    """The dimensions that are asked for, counted from the front; none asked for are all."""
    rank = rank_of(tensor)
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(rank))
    found = tuple(wrapped(index(each), rank) for each in (dim if isinstance(dim, (tuple, list)) else (dim,)))
    if len(set(found)) < len(found):
        raise RuntimeError("a dimension appears twice in the list of dims")
    return found if rank else ()


def need_tensors(name: str, **given: Any) -> None:
    """Refuse what is no tensor."""
    for word, value in given.items():
        if not isinstance(value, Plain):
            raise TypeError(f"{name}(): argument '{word}' must be Tensor, not {type(value).__name__}")


def need_alike(name: str, **given: Any) -> None:
    """Refuse tensors of different dtypes."""
    kinds = {word: kind_of(value) for word, value in given.items()}
    if len(set(kinds.values())) > 1:
        raise RuntimeError(f"{name}: the dtypes differ: {', '.join(f'{word} {kind}' for word, kind in kinds.items())}")


def index_of(name: str, given: Any, length: int, place: int) -> Any:
    """Indices along a dimension as an array; those beyond it are refused."""
    if kind_of(given) not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32 or int64 for index, and it is {kind_of(given)}")
    found = np.array(array(given), np.int64)
    if found.size and (found.min() < 0 or found.max() >= length):
        wrong = found[(found < 0) | (found >= length)].flat[0]
        raise IndexOutside(f"index {wrong} is out of bounds for dimension {place} with size {length}")
    return found


class IndexOutside(RuntimeError, IndexError):
    """An index that a dimension does not have. Callers know it under two types."""
