"""The order in which the elements of a tensor are drawn: as they lie in memory, whatever the order of its dimensions.
In: a shape and strides. Out: the shape to draw in, and the array in the tensor's own order of dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .engine import Array


def drawn(shape: Sequence[int], strides: Sequence[int] | None, draw: Callable[[tuple[int, ...]], Array]) -> Array:
    """What `draw` gives for a tensor with these strides; without strides its elements lie one after another."""
    if strides is None or is_contiguous(shape, strides):
        return draw(tuple(shape))
    order = memory_order(shape, strides)
    values = draw(tuple(shape[dimension] for dimension in order))
    return np.ascontiguousarray(values.transpose(np.argsort(order)))


def is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements lie one after another in the order of the dimensions; a dimension of one element tells
    nothing."""
    wanted = 1
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        if length != 1 and stride != wanted:
            return 0 in shape
        wanted *= length
    return True


def memory_order(shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    """The dimensions from the one with the largest steps in memory to the one with the smallest. Those without steps
    keep their place."""
    order = list(range(len(shape)))[::-1]  # the innermost first
    for start in range(1, len(order)):
        place = start
        for other in reversed(range(start)):
            inner, outer = order[other], order[place]
            if not strides[inner] or not strides[outer]:
                continue
            if (strides[inner], shape[inner]) > (strides[outer], shape[outer]):
                order[other], order[place] = outer, inner
                place = other
            elif strides[inner] < strides[outer]:
                break
    return order[::-1]
