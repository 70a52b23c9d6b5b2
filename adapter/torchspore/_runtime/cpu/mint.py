"""`mindspore.mint.distributed` on a CPU: outputs are written into the tensors that are passed in. Each function has the
parameters of MindSpore's function of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..delivery import into
from ..framework import Tensor, mindspore, real_mint
from .wire import exchange, fold, group_of, handle_for, pack, reduces, room, unpack


def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    members = group_of(group)
    if reduces(tensor):
        return real_mint.all_reduce(tensor, op=op, group=members.name, async_op=async_op)
    if tensor.size:
        parts = exchange([tensor] * members.size(), [tensor.shape] * members.size(), members)
        into(tensor, fold(parts, op))
    return handle_for(async_op)


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: str | None = None, async_op: bool = False) -> Any:
    members = group_of(group)
    if not all(each.shape == tensor.shape for each in tensor_list):
        into(tensor_list, exchange([tensor] * members.size(), [each.shape for each in tensor_list], members))
    elif tensor.size:
        rooms = _rooms(tensor, len(tensor_list))
        real_mint.all_gather(rooms, pack(tensor), group=members.name)
        into(tensor_list, [unpack(arrived, tensor.shape, tensor.dtype) for arrived in rooms])
    return handle_for(async_op)


def gather(
    tensor: Tensor, gather_list: list[Tensor], dst: int = 0, group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    if tensor.size:
        rooms = _rooms(tensor, len(gather_list))
        real_mint.gather(pack(tensor), rooms, dst=dst, group=members.name)
        if members.ranks[members.rank()] == dst:
            into(gather_list, [unpack(arrived, tensor.shape, tensor.dtype) for arrived in rooms])
    return handle_for(async_op)


def _rooms(tensor: Tensor, count: int) -> list[Tensor]:
    """Where the kernels write: they leave a tensor that came from a view as it is, and nothing tells such a tensor."""
    return [room(tensor.shape, tensor.dtype) for _ in range(count)]


def reduce_scatter(
    output: Tensor, input_list: Sequence[Tensor], op: str = "sum", group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    into(output, fold(exchange(input_list, [output.shape] * members.size(), members), op))
    return handle_for(async_op)


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    into(output_tensor_list, exchange(input_tensor_list, [each.shape for each in output_tensor_list], members))
    return handle_for(async_op)


def barrier(group: str | None = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """MindSpore's own does the same, and prints an error about the device each time."""
    return all_reduce(mindspore.mint.zeros((1,), dtype=mindspore.int32), group=group, async_op=async_op)
