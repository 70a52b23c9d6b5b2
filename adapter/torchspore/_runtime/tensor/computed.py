"""Results that NumPy computes on a CPU, where MindSpore's kernels differ from torch's or are missing. In: arrays, and a
function that says what becomes of the gradient. Out: a tensor in the graph of the operands. What MindSpore computes
rightly is left to `kernels`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.framework import mindspore
from ..core.private import Step, in_graph, is_enabled
from . import dtypes, memory

_dtype = mindspore.Tensor._dtype.__get__
_shape = mindspore.Tensor.shape.__get__

Gradients = Callable[[Any], Sequence[Any]]
"""What becomes of the gradient of a result: an array for each operand, or None."""


class Computed(Step):
    """A result that was computed outside of the graph."""

    @staticmethod
    def forward(ctx: Any, place: list[Any], *operands: Any) -> Any:
        ctx.gradients = place[1]
        ctx.given = [(tuple(_shape(each)), _dtype(each)) for each in operands]
        return place[0]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        with np.errstate(all="ignore"):
            found = ctx.gradients(memory.numpy_values(gradient))
        return None, *(
            each if each is None else tensor_of(summed_to(each, shape), dtype)
            for each, (shape, dtype) in zip(found, ctx.given, strict=True)
        )


def computed(values: Any, dtype: Any, operands: Sequence[Any], gradients: Gradients) -> Any:
    """A tensor of values that were computed of some operands, in their graph. What `gradients` needs of the operands it
    has to keep itself: they may be written to."""
    result = tensor_of(values, dtype)
    recorded = is_enabled() and any(map(in_graph, operands))
    return Computed.apply([result, gradients], *operands) if recorded else result


def tensor_of(values: Any, dtype: Any) -> Any:
    """A tensor of a dtype with the values of an array."""
    kind = dtypes.of(dtype)
    if kind == dtypes.bfloat16:
        return mindspore.ops.cast(memory.from_array(np.asarray(values, np.float32, order="C")), dtypes.bfloat16)
    return memory.from_array(np.asarray(values, dtypes.NUMPY[kind], order="C"))


def summed_to(gradient: Any, shape: tuple[int, ...]) -> Any:
    """The gradient of what was repeated to the shape of a result."""
    gradient = np.asarray(gradient)
    if gradient.shape == shape:
        return gradient
    ahead = gradient.ndim - len(shape)
    gone = (*range(ahead), *(ahead + at for at, length in enumerate(shape) if length == 1))
    return gradient.sum(axis=gone, keepdims=True).reshape(shape)
