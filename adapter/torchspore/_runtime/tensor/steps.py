"""Steps of the graph that change memory's place or contents. Forward they compute nothing, since the memory already
holds the values; backward they say what becomes of the gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import mindspore
from ..core.private import Step, in_graph
from . import memory
from .kernels import filled, kernel

_dtype = mindspore.Tensor._dtype.__get__
_gather = mindspore.ops.gather
_reshape = mindspore.ops.reshape
_scatter = mindspore.ops.tensor_scatter_elements
_shape = mindspore.Tensor.shape.__get__


class Placed(Step):
    """A result gets a place in memory that is already there: what comes back goes on as it is."""

    @staticmethod
    def forward(ctx: Any, graph: Any, place: list[Any]) -> Any:
        return place[0]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient, None


class Overwritten(Step):
    """A part of a tensor was written to: the gradient of the part goes to what was written, the rest to the tensor as
    it was before. `part` picks the part out of a gradient, `mask` is true where it lies."""

    @staticmethod
    def forward(ctx: Any, before: Any, written: Any, place: list[Any]) -> Any:
        ctx.part, ctx.mask = place[1:]
        return place[0]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        nought = filled((), 0, _dtype(gradient))
        return kernel("where")(memory.from_array(ctx.mask()), nought, gradient), ctx.part(gradient), None


class Embedded(Step):
    """A part of a tensor, given by where it lies in memory: its gradient is nought everywhere else. MindSpore's own
    steps for such parts hold on to the whole tensor, and then object to later writes."""

    @staticmethod
    def forward(ctx: Any, whole: Any, place: list[Any]) -> Any:
        ctx.shape, ctx.places = place[1:]
        return place[0]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        index = memory.from_array(ctx.places.reshape(-1))
        flat = filled((int(np.prod(ctx.shape, dtype=np.int64)),), 0, _dtype(gradient))
        if not ctx.places.size:
            return _reshape(flat, ctx.shape), None
        return _reshape(_scatter(flat, index, _reshape(gradient, (-1,))), ctx.shape), None


class Undecided(Step):
    """A result that no element of the tensors decides, such as the sum of none: their gradients are nought."""

    @staticmethod
    def forward(ctx: Any, place: list[Any], *tensors: Any) -> Any:
        ctx.given = [(tuple(_shape(tensor)), _dtype(tensor)) for tensor in tensors]
        return place[0]

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return None, *(filled(shape, 0, dtype) for shape, dtype in ctx.given)


def undecided(part: Any, *tensors: Any) -> Any:
    """A result that no element decides, in the graph of these tensors."""
    return Undecided.apply([part], *tensors) if any(map(in_graph, tensors)) else part


def embedded(whole: Any, part: Any, pick: Any) -> Any:
    """A part of a tensor, in the graph; `pick` finds the same part in an array of numbers of the elements."""
    if not in_graph(whole):
        return part
    shape = tuple(_shape(whole))
    numbers = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
    return Embedded.apply(whole, [part, shape, np.ascontiguousarray(pick(numbers))])


def placed(graph: Any, place: Any) -> Any:
    """The graph of one tensor over the memory of another, with the latter's count of writes."""
    return Placed.apply(graph, [place]) if in_graph(graph) else place


def picked(positions: Any, shape: tuple[int, ...]) -> Any:
    """What picks the elements at these positions out of a gradient, in a shape."""
    index = memory.from_array(np.ascontiguousarray(positions.reshape(-1)))

    def pick(gradient: Any) -> Any:
        return _reshape(_gather(_reshape(gradient, (-1,)), index, 0), shape)

    return pick


def mask_of(shape: tuple[int, ...], positions: Any) -> Any:
    """What is true at these positions of a shape."""
    mask = np.zeros(shape, np.bool_)
    mask.reshape(-1)[positions.reshape(-1)] = True
    return mask
