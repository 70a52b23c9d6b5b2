"""Windows along a dimension, as a view. In: a tensor. Out: a tensor over the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from ..tensor.computed import computed
from ..tensor.size import wrapped
from ..tensor.views import strided
from .numbers import array, dtype_of, need_tensors, rank_of, shape_of

_stride = mindspore.Tensor.stride


def unfold(input: Any, dimension: int, size: int, step: int) -> Any:
    """Windows of some length along a dimension, so many elements apart; their elements are a new dimension."""
    record()
    need_tensors("unfold", input=input)
    place = wrapped(dimension, rank_of(input))
    shape, steps = tuple(shape_of(input)), tuple(_stride(input))
    length, apart = (shape[place], steps[place]) if shape else (1, 1)
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {place} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    count = (length - size) // step + 1
    if shape:
        wanted = (*shape[:place], count, *shape[place + 1 :], size)
        stride = (*steps[:place], apart * step, *steps[place + 1 :], apart)
    else:
        wanted, stride = (size,), (1,)
    starts = np.arange(count)[:, None] * step + np.arange(size)

    def windows(tensor: Any) -> Any:
        """The same windows in the graph, in memory of their own."""
        values = array(tensor)
        if not values.ndim:
            return computed(values.reshape(-1)[:size], dtype_of(tensor), (tensor,), lambda g: (g.sum(),))
        found = np.moveaxis(np.take(values, starts, place), place + 1, -1)

        def gradients(gradient: Any) -> Any:
            whole = np.zeros(values.shape, gradient.dtype)
            np.add.at(np.moveaxis(whole, place, 0), starts, np.moveaxis(gradient, (place, -1), (0, 1)))
            return (whole,)

        return computed(found, dtype_of(tensor), (tensor,), gradients)

    return strided(input, wanted, stride, windows)
