"""`mindspore.mint.distributed` on a CPU: outputs are written into the tensors that are passed in. Each function has the
parameters of MindSpore's function of the same name.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

from ...core.framework import Tensor, is_tensor, mindspore
from ..delivery import fills_storage, fresh, into
from ..libraries import real_mint
from .wire import (
    combine,
    complete,
    cut,
    exchange,
    fold,
    from_all,
    group_of,
    numpy,
    pack,
    receive_from,
    room,
    rooms,
    send_to,
    unpack,
)


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
    parts, arrived = _rooms(tensor, len(tensor_list))
    real_mint.all_gather(parts, pack(tensor), group=members.name, async_op=async_op)
    return complete(async_op, lambda: into(tensor_list, arrived()))


def gather(
    tensor: Tensor, gather_list: list[Tensor], dst: int = 0, group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    _check_list(gather_list)
    if tensor.size == 0:
        return complete(async_op, _nothing)
    parts, arrived = _rooms(tensor, len(gather_list))
    real_mint.gather(pack(tensor), parts, dst=dst, group=members.name, async_op=async_op)
    here = group_of(group).here(dst)
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


def broadcast(tensor: Tensor, src: int, group: str | None = None, async_op: bool = False) -> Any:
    members = group_of(group)
    if tensor.size == 0:
        return complete(async_op, _nothing)
    # to look into its memory waits for what was enqueued before, so a call that shall return at once does not
    place = fresh(pack(tensor)) if async_op else mindspore.Tensor.from_numpy(pack(tensor).asnumpy().copy())
    real_mint.broadcast(place, src, group=members.name, async_op=True)
    return complete(async_op, lambda: into(tensor, unpack(place, tensor.shape, tensor.dtype)))


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    members = group_of(group)
    result = combine(fresh(tensor), tensor, op, members)
    here = group_of(group).here(dst)
    return complete(async_op, lambda: here and into(tensor, result()))


def scatter(
    tensor: Tensor, scatter_list: Sequence[Tensor], src: int = 0, group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    _check_list(scatter_list)
    if tensor.size == 0:
        return complete(async_op, _nothing)
    (place,), arrived = _rooms(tensor, 1)
    sent = [pack(each) for each in scatter_list]
    real_mint.scatter(place, sent, src=src, group=members.name, async_op=True)
    return complete(async_op, lambda: into(tensor, arrived()[0]))


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: str | None = None, async_op: bool = False
) -> Any:
    members = group_of(group)
    _check_joined(output_tensor, input_tensor, members.size())
    if input_tensor.size == 0:
        return complete(async_op, _nothing)
    joined, parts = rooms(members.size(), input_tensor.shape, input_tensor.dtype)
    real_mint.all_gather(parts, pack(input_tensor), group=members.name, async_op=True)
    shape, dtype = output_tensor.shape, output_tensor.dtype
    return complete(async_op, lambda: into(output_tensor, unpack(joined, shape, dtype)))


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False
) -> Any:
    size = group_of(group).size()
    _check_joined(input, output, size)
    return reduce_scatter(output, cut(input, [output.shape[0]] * size), op, group, async_op)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> Any:
    size = group_of(group).size()
    received = cut(output, output_split_sizes or [output.shape[0] // size] * size)
    sent = cut(input, input_split_sizes or [input.shape[0] // size] * size)
    return all_to_all(received, sent, group, async_op)


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> Any:
    send_to(tensor, dst, group_of(group))
    return complete(True, _nothing)


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> Any:
    arrived = receive_from(tensor, src, group_of(group))
    return complete(True, lambda: into(tensor, arrived()))


def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> None:
    isend(tensor, dst, group, tag).wait()


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    irecv(tensor, src, group, tag).wait()
    return src


def batch_isend_irecv(p2p_op_list: Sequence[Any]) -> list[Any]:
    handles = []
    for each in p2p_op_list:
        function = {"isend": isend, "irecv": irecv}[getattr(each.op, "__name__", each.op)]
        handles.append(function(each.tensor, each.peer, each.group, each.tag))
    return [complete(True, lambda: [handle.wait() for handle in handles])]


def all_gather_object(object_list: list[Any], obj: Any, group: str | None = None) -> None:
    object_list[:] = from_all(obj, group)


def gather_object(
    obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0, group: str | None = None
) -> None:
    gathered = from_all(obj, group)
    if object_gather_list is not None and group_of(group).here(dst):
        object_gather_list[:] = gathered


def broadcast_object_list(
    object_list: list[Any], src: int = 0, group: str | None = None, device: str | None = None
) -> None:
    sent = from_all(object_list if group_of(group).here(src) else None, group)
    object_list[:] = sent[group_of(group).ranks.index(src)]


def scatter_object_list(
    scatter_object_output_list: list[Any],
    scatter_object_input_list: list[Any] | None,
    src: int = 0,
    group: str | None = None,
) -> None:
    members = group_of(group)
    sent = from_all(scatter_object_input_list if group_of(group).here(src) else None, group)
    scatter_object_output_list[0] = sent[members.ranks.index(src)][members.rank()]


def send_object_list(object_list: list[Any], dst: int, group: str | None = None, device: str | None = None) -> None:
    pickled = mindspore.Tensor(numpy.frombuffer(pickle.dumps(object_list), numpy.uint8))
    send(mindspore.Tensor([pickled.size], mindspore.int64), dst, group)
    send(pickled, dst, group)


def recv_object_list(object_list: list[Any], src: int = 0, group: str | None = None, device: str | None = None) -> None:
    size = room((1,), mindspore.int64)
    recv(size, src, group)
    pickled = room((int(size.asnumpy()[0]),), mindspore.uint8)
    recv(pickled, src, group)
    object_list[:] = pickle.loads(pickled.asnumpy().tobytes())


def barrier(group: str | None = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """MindSpore's own does the same, and prints an error about the device each time."""
    sign = room((1,), mindspore.int32)
    return complete(async_op, combine(sign, sign, "max", group_of(group)))


def is_available() -> bool:
    return bool(real_mint.is_available())


def _rooms(tensor: Tensor, count: int) -> tuple[list[Tensor], Callable[[], list[Tensor]]]:
    """Where the kernels write, and what arrived there. They leave a tensor that came from a view as it is, and nothing
    tells such a tensor, so a caller's own tensors are not given to them."""
    _, parts = rooms(count, tensor.shape, tensor.dtype)
    return parts, lambda: [unpack(each, tensor.shape, tensor.dtype) for each in parts]


def _check_list(tensors: Sequence[Tensor]) -> None:
    """MindSpore asks for tensors on every rank, also where they are not read or written."""
    if not tensors or not all(is_tensor(each) for each in tensors):
        raise TypeError("There must be a list of tensors on every rank.")


def _check_joined(joined: Tensor, part: Tensor, count: int) -> None:
    """MindSpore joins along dimension 0, which there must be."""
    if part.ndim == 0 or joined.shape != (part.shape[0] * count, *part.shape[1:]):
        raise ValueError(f"{count} tensors of shape {part.shape} cannot be joined to one of shape {joined.shape}.")


def _nothing() -> None:
    """An empty tensor needs no message."""
