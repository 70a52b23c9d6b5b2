"""`mindspore.communication.comm_func` on a CPU: outputs are returned. Each function has the parameters, the defaults and the
structure of the result that MindSpore documents for its function of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..framework import Tensor, communication, mindspore
from . import mint
from .wire import exchange, group_of, handle_for

WORLD = communication.GlobalComm.WORLD_COMM_GROUP


def all_reduce(tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    reduced = mindspore.mint.cat([tensor.reshape(-1)]).reshape(tensor.shape)
    return reduced, mint.all_reduce(reduced, op, group, async_op)


def all_gather_into_tensor(tensor: Tensor, group: str = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    parts = _empty_parts(tensor, group_of(group).size())
    handle = mint.all_gather(parts, tensor, group, async_op)
    return mindspore.mint.cat(parts), handle


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = WORLD) -> Tensor:
    members = group_of(group)
    parts = _empty_parts(tensor, members.size())
    mint.gather(tensor, parts, dst, group)
    if members.ranks[members.rank()] != dst:
        return mindspore.mint.zeros((1,), dtype=tensor.dtype)
    return mindspore.mint.cat(parts)


def reduce_scatter_tensor(
    tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> tuple[Tensor, Any]:
    parts = mindspore.mint.chunk(tensor, group_of(group).size()) if tensor.size else [tensor] * group_of(group).size()
    scattered = mindspore.mint.empty(parts[0].shape, dtype=tensor.dtype)
    return scattered, mint.reduce_scatter(scattered, parts, op, group, async_op)


def all_to_all_with_output_shape(
    output_shape_list: Sequence[Any],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> tuple[tuple[Tensor, ...], Any]:
    shapes = [getattr(each, "shape", each) for each in output_shape_list]
    return tuple(exchange(input_tensor_list, shapes, group_of(group))), handle_for(async_op)


def _empty_parts(tensor: Tensor, count: int) -> list[Tensor]:
    return [mindspore.mint.empty(tensor.shape, dtype=tensor.dtype) for _ in range(count)]
