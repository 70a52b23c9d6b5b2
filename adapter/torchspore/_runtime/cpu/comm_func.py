"""`mindspore.communication.comm_func` on a CPU: outputs are returned. Each function has the parameters, the
defaults and the structure of the result that MindSpore documents for its function of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..delivery import fresh, into
from ..framework import Tensor, communication, mindspore
from . import mint
from .wire import combine, complete, group_of, room, unpack

WORLD = communication.GlobalComm.WORLD_COMM_GROUP


def all_reduce(tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    reduced = fresh(tensor)
    result = combine(reduced, tensor, op, group_of(group))
    return reduced, complete(async_op, lambda: into(reduced, result()))


def all_gather_into_tensor(tensor: Tensor, group: str = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    gathered, parts = _joined(tensor, group_of(group).size())
    return gathered, mint.all_gather(parts, tensor, group, async_op)


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = WORLD) -> Tensor:
    members = group_of(group)
    gathered, parts = _joined(tensor, members.size())
    mint.gather(tensor, parts, dst, group)
    here = members.ranks[members.rank()] == dst
    return gathered if here else mindspore.mint.zeros((1,), dtype=tensor.dtype)


def reduce_scatter_tensor(
    tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> tuple[Tensor, Any]:
    size = group_of(group).size()
    rows = tensor.shape[0] // size
    scattered = _new((rows, *tensor.shape[1:]), tensor.dtype)
    parts = [tensor[rows * rank : rows * (rank + 1)] for rank in range(size)]
    return scattered, mint.reduce_scatter(scattered, parts, op, group, async_op)


def all_to_all_with_output_shape(
    output_shape_list: Sequence[Any],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> tuple[tuple[Tensor, ...], Any]:
    received = [_new(getattr(each, "shape", each), input_tensor_list[0].dtype) for each in output_shape_list]
    return tuple(received), mint.all_to_all(received, list(input_tensor_list), group, async_op)


def _new(shape: Sequence[int], dtype: Any) -> Tensor:
    return unpack(room(shape, dtype), shape, dtype)


def _joined(tensor: Tensor, count: int) -> tuple[Tensor, list[Tensor]]:
    """A tensor for the tensors of all ranks along dimension 0, and the views of it that each rank's goes to."""
    rows = tensor.shape[0]
    joined = _new((rows * count, *tensor.shape[1:]), tensor.dtype)
    return joined, [joined[rows * rank : rows * (rank + 1)] for rank in range(count)]
