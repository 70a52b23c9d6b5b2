"""`mindspore.communication.comm_func` on a CPU: outputs are returned. Each function has the parameters, the
defaults and the structure of the result that MindSpore documents for its function of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.framework import Tensor, mindspore
from ..delivery import fresh, into
from ..libraries import communication
from . import mint
from .wire import combine, complete, cut, group_of, room, unpack

WORLD = communication.GlobalComm.WORLD_COMM_GROUP


def all_reduce(tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    reduced = fresh(tensor)
    result = combine(reduced, tensor, op, group_of(group))
    return reduced, complete(async_op, lambda: into(reduced, result()))


def all_gather_into_tensor(tensor: Tensor, group: str = WORLD, async_op: bool = False) -> tuple[Tensor, Any]:
    gathered = _joined(tensor, group_of(group).size())
    return gathered, mint.all_gather_into_tensor(gathered, tensor, group, async_op)


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = WORLD) -> Tensor:
    members = group_of(group)
    gathered = _joined(tensor, members.size())
    mint.gather(tensor, cut(gathered, [tensor.shape[0]] * members.size()), dst, group)
    return gathered if members.here(dst) else mindspore.mint.zeros((1,), dtype=tensor.dtype)


def reduce_scatter_tensor(
    tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> tuple[Tensor, Any]:
    size = group_of(group).size()
    parts = cut(tensor, [tensor.shape[0] // size] * size)
    scattered = _new(parts[0].shape, tensor.dtype)
    return scattered, mint.reduce_scatter(scattered, parts, op, group, async_op)


def all_to_all_with_output_shape(
    output_shape_list: Sequence[Any],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> tuple[tuple[Tensor, ...], Any]:
    received = [_new(getattr(each, "shape", each), input_tensor_list[0].dtype) for each in output_shape_list]
    return tuple(received), mint.all_to_all(received, list(input_tensor_list), group, async_op)


def all_to_all_single_with_output_shape(
    output_shape: Any,
    tensor: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> tuple[Tensor, Any]:
    received = _new(getattr(output_shape, "shape", output_shape), tensor.dtype)
    return received, mint.all_to_all_single(received, tensor, output_split_sizes, input_split_sizes, group, async_op)


def broadcast(tensor: Tensor, src: int = 0, group: str = WORLD) -> Tensor:
    result = fresh(tensor)
    mint.broadcast(result, src, group)
    return result


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str = WORLD) -> Tensor:
    result = fresh(tensor)
    mint.reduce(result, dst, op, group)
    return result if group_of(group).here(dst) else mindspore.mint.zeros((1,), dtype=tensor.dtype)


def scatter_tensor(tensor: Tensor, src: int = 0, group: str = WORLD) -> Tensor:
    size = group_of(group).size()
    parts = cut(tensor, [tensor.shape[0] // size] * size)
    result = _new(parts[0].shape, tensor.dtype)
    mint.scatter(result, parts, src, group)
    return result


def barrier(group: str = WORLD) -> None:
    mint.barrier(group)


def isend(tensor: Tensor, dst: int = 0, group: str = WORLD, tag: int = 0) -> Any:
    return mint.isend(tensor, dst, group, tag)


def irecv(tensor: Tensor, src: int = 0, group: str = WORLD, tag: int = 0) -> tuple[Tensor, Any]:
    received = _new(tensor.shape, tensor.dtype)
    return received, mint.irecv(received, src, group, tag)


def send(tensor: Tensor, dst: int = 0, group: str = WORLD, tag: int = 0) -> None:
    mint.send(tensor, dst, group, tag)


def recv(tensor: Tensor, src: int = 0, group: str = WORLD, tag: int = 0) -> Tensor:
    received, handle = irecv(tensor, src, group, tag)
    handle.wait()
    return received


def batch_isend_irecv(p2p_op_list: Sequence[Any]) -> tuple[Tensor, ...]:
    """What is received, in the order of the list; at the place of a message that is sent, a scalar without meaning."""
    results, handles = [], []
    for each in p2p_op_list:
        if getattr(each.op, "__name__", each.op) == "irecv":
            received, handle = irecv(each.tensor, each.peer, each.group, each.tag)
        else:
            received, handle = mindspore.Tensor(0.0), isend(each.tensor, each.peer, each.group, each.tag)
        results.append(received)
        handles.append(handle)
    for handle in handles:
        handle.wait()
    return tuple(results)


def _new(shape: Sequence[int], dtype: Any) -> Tensor:
    return unpack(room(shape, dtype), shape, dtype)


def _joined(tensor: Tensor, count: int) -> Tensor:
    """A tensor for the tensors of all ranks along dimension 0."""
    return _new((tensor.shape[0] * count, *tensor.shape[1:]), tensor.dtype)
