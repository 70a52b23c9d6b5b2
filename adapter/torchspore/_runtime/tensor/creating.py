"""The ways into the class: what MindSpore or NumPy made becomes a `Tensor`.

`wrap` is what every adapter function ends with; `from_numpy` is what data, files and random streams are made by.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import mindspore
from ..core.private import detach, in_graph, second_object
from . import dtypes, memory
from .base import Tensor

_Plain = mindspore.Tensor
_dtype = mindspore.Tensor._dtype.__get__


def wrap(result: Any) -> Any:
    """What MindSpore returned with every tensor in it as a `Tensor`; lists, tuples, named tuples and dicts are gone
    through."""
    kind = type(result)
    if kind is _Plain:
        if in_graph(result) and dtypes.of(_dtype(result)).kind in "bui":
            result = detach(result)  # MindSpore counts comparisons among what has a gradient
        result.__class__ = Tensor
        return result
    if kind is tuple:
        return tuple(map(wrap, result))
    if kind is list:
        return list(map(wrap, result))
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return kind(*map(wrap, result))
    if kind is dict:
        return {key: wrap(value) for key, value in result.items()}
    return result


def from_numpy(array: Any, requires_grad: bool = False) -> Any:
    """A tensor over the memory of an array, which a later write to either shows in the other, as long as the array is
    writeable and in rows; otherwise over a copy of it."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    if array.dtype not in dtypes.BY_NUMPY:
        raise TypeError(f"can't convert np.ndarray of type {array.dtype}: no dtype of tensors holds it")
    made = memory.from_array(array)
    made.__class__ = Tensor
    if requires_grad:
        made.requires_grad_()
    return made


def from_mindspore(tensor: Any) -> Any:
    """A `Tensor` for one of MindSpore's, with the same memory and the same place in the graph; MindSpore's own object
    stays what it is."""
    return second_object(Tensor, tensor)


def lowered(tensor: Any) -> Any:
    """One of MindSpore's own tensors for a `Tensor`: the same memory, the same place in the graph. Functions of
    MindSpore that call methods of their arguments get these, since methods of one name mean different things."""
    return second_object(_Plain, tensor)
