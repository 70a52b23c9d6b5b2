"""`mindspore.mint.distributed` on a CPU: outputs are written into the tensors that are passed in. Each function has the
parameters of MindSpore's function of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..delivery import fills_storage, fresh, into
from ..framework import Tensor, mindspore, real_mint
from .wire import combine, complete, exchange, fold, group_of, pack, room, unpack


def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    # in place without a copy only if it may wait for what was enqueued before
    place = tensor if not async_op and fills_storage(tensor) else fresh(tensor)
    result = combine(place, tensor, op, group_of(group))
    return complete(async_op, lambda: into(tensor, result()))


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: str | None = None, async_op: bool = False) -> Any:
    members = group_of(group)
    if not all(each.shape == tensor.shape for each in tensor_list):
        arrived = exchange([tensor] * members.size(), [each.shape for each in tensor_list], members)
        return complete(async_op, lambda: into(tensor_list, arrived()))
    if tensor.size == 0:
        return complete(async_op, _nothing)
    rooms, arrived = _rooms(tensor, len(tensor_list))
    real_mint.all_gather(rooms, pack(tensor), group=members.name, async_op=async_op)
    return complete(async_op, lambda: into(tensor_list, arrived()))


def gather(
    tensor: Tensor, gather_list: list[Tensor], dst: int = 0, group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    if tensor.size == 0:
        return complete(async_op, _nothing)
    rooms, arrived = _rooms(tensor, len(gather_list))
    real_mint.gather(pack(tensor), rooms, dst=dst, group=members.name, async_op=async_op)
    here = members.ranks[members.rank()] == dst
    return complete(async_op, lambda: here and into(gather_list, arrived()))


def reduce_scatter(
    output: Tensor, input_list: Sequence[Tensor], op: str = "sum", group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    arrived = exchange(input_list, [output.shape] * members.size(), members)
    return complete(async_op, lambda: into(output, fold(arrived(), op)))


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: str | None = None, async_op: bool = False
) -> Any:
    arrived = exchange(input_tensor_list, [each.shape for each in output_tensor_list], group_of(group))
    return complete(async_op, lambda: into(output_tensor_list, arrived()))


def barrier(group: str | None = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """MindSpore's own does the same, and prints an error about the device each time."""
    sign = room((1,), mindspore.int32)
    return complete(async_op, combine(sign, sign, "max", group_of(group)))


def _rooms(tensor: Tensor, count: int) -> tuple[list[Tensor], Callable[[], list[Tensor]]]:
    """Where the kernels write, and what arrived there. They leave a tensor that came from a view as it is, and nothing
    tells such a tensor, so a caller's own tensors are not given to them."""
    rooms = [room(tensor.shape, tensor.dtype) for _ in range(count)]
    return rooms, lambda: [unpack(each, tensor.shape, tensor.dtype) for each in rooms]


def _nothing() -> None:
    """An empty tensor needs no message."""
