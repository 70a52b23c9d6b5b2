"""Tensors between ranks on a CPU. In: tensors of any dtype and shape. Out: the tensors of the other ranks. A dtype
that the kernels do not move travels as an integer of the same width; empty tensors do not travel. Asking MindSpore
anything about a tensor that is still arriving waits for it, so what has to be done with it is kept until it is
there.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import accumulate
from typing import Any

from ...core.framework import Tensor, dtypes, mindspore, settle
from ..delivery import flat
from ..groups import ProcessGroup, job, resolve
from ..libraries import real_mint

# The public functions send within MindSpore's default group, which on a CPU does not exist.
_primitives: Any = importlib.import_module("mindspore.ops.auto_generate.gen_ops_prim")
numpy: Any = importlib.import_module("numpy")
_CARRIERS = {
    dtypes.bool_: dtypes.uint8,
    dtypes.int16: dtypes.uint16,
    dtypes.bfloat16: dtypes.uint16,
    dtypes.complex64: dtypes.int64,
    dtypes.complex128: dtypes.float64,  # two of them
}
_REDUCED = {
    dtypes.float16,
    dtypes.bfloat16,
    dtypes.float32,
    dtypes.int8,
    dtypes.int16,
    dtypes.int32,
    dtypes.int64,
}
_FOLDS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "sum": mindspore.mint.add,
    "prod": mindspore.mint.mul,
    "min": mindspore.mint.minimum,
    "max": mindspore.mint.maximum,
}


def from_all(obj: Any, group: str | None) -> list[Any]:
    """The objects of all ranks. MindSpore's other functions for objects ask for a group that a CPU does not have."""
    members = group_of(group)
    gathered = [None] * members.size()
    real_mint.all_gather_object(gathered, obj, members.name)
    return gathered


def group_of(name: str | None) -> ProcessGroup:
    """The group of a name; MindSpore's default name and None mean all ranks."""
    group = job().world if name in (None, "hccl_world_group") else resolve(name)
    if group is None:
        raise RuntimeError(f"This process is not in the group {name!r}.")
    return group


class Handle:
    """A call under way: `wait` blocks until it has run, and then does the rest."""

    def __init__(self, finish: Callable[[], object]) -> None:
        self._finish: Callable[[], object] | None = finish

    def wait(self) -> None:
        settle()
        finish, self._finish = self._finish, None
        if finish is not None:
            finish()


def complete(async_op: bool, finish: Callable[[], object]) -> Handle | None:
    """Do the rest of a call: now, or when the handle is waited for."""
    handle = Handle(finish)
    if async_op:
        return handle
    handle.wait()
    return None


def pack(tensor: Tensor) -> Tensor:
    """A tensor as it travels: of a dtype that the kernels move, and with a dimension, which some of them need."""
    if tensor.ndim == 0 or tensor.dtype == dtypes.complex128:
        tensor = flat(tensor)
    carrier = _CARRIERS.get(tensor.dtype)
    return tensor if carrier is None else tensor.view(carrier)


def room(shape: Sequence[int], dtype: Any) -> Tensor:
    """Where a tensor of this shape and dtype arrives."""
    return rooms(1, shape, dtype)[1][0]


def rooms(count: int, shape: Sequence[int], dtype: Any) -> tuple[Tensor, list[Tensor]]:
    """Where several such tensors arrive: all in one, joined along dimension 0, and each of them, in the same memory."""
    size = (math.prod(shape) * 2,) if dtype == dtypes.complex128 else tuple(shape) or (1,)
    memory = numpy.empty((count, *size), dtypes.dtype_to_nptype(_CARRIERS.get(dtype, dtype)))
    as_tensor = mindspore.Tensor.from_numpy
    return as_tensor(memory.reshape((count * size[0], *size[1:]))), [as_tensor(each) for each in memory]


def unpack(arrived: Tensor, shape: Sequence[int], dtype: Any) -> Tensor:
    """A tensor that has travelled, as it was before."""
    viewed = arrived.view(dtype) if dtype in _CARRIERS else arrived
    return viewed if viewed.shape == tuple(shape) else viewed.reshape(tuple(shape))


def cut(tensor: Tensor, rows: Sequence[int]) -> list[Tensor]:
    """The parts of a tensor along dimension 0, of so many rows each."""
    ends = list(accumulate(rows))
    return [tensor[end - count : end] for end, count in zip(ends, rows, strict=True)]


def send_to(tensor: Tensor, rank: int, group: ProcessGroup) -> None:
    """Send a tensor to one rank, given by its global number. An empty one needs no message."""
    if tensor.size:
        _primitives.dist_comm_isend_op(pack(tensor), group.ranks.index(rank), group.name, 0)


def receive_from(like: Tensor, rank: int, group: ProcessGroup) -> Callable[[], Tensor]:
    """Receive a tensor of a given shape and dtype from one rank; gives it once everything has run."""
    place = room(like.shape, like.dtype)
    if place.size:
        _primitives.dist_comm_irecv_op(place, 0, group.ranks.index(rank), group.name)
    return lambda: unpack(place, like.shape, like.dtype)


def exchange(
    outgoing: Sequence[Tensor], shapes: Sequence[Sequence[int]], group: ProcessGroup
) -> Callable[[], list[Tensor]]:
    """Send one tensor to each rank and receive one of the given shape from each. Gives what arrived, in the order of
    ranks, once everything has run. Both sides know the size of each message, so sizes may differ by rank."""
    own, size, dtype = group.rank(), group.size(), outgoing[0].dtype
    for step in range(1, size):
        to = (own + step) % size
        if outgoing[to].size:
            _primitives.dist_comm_isend_op(pack(outgoing[to]), to, group.name, 0)
    places = [room(shape, dtype) for shape in shapes]
    for step in range(1, size):
        source = (own - step) % size
        if places[source].size:
            _primitives.dist_comm_irecv_op(places[source], 0, source, group.name)

    def arrived() -> list[Tensor]:
        received = [unpack(each, shape, dtype) for each, shape in zip(places, shapes, strict=True)]
        received[own] = outgoing[own]
        return received

    return arrived


def combine(place: Tensor, tensor: Tensor, op: str, group: ProcessGroup) -> Callable[[], Tensor]:
    """Reduce a tensor over all ranks. Gives the result once everything has run. `place` is the tensor itself or a
    copy of it under way, and is written to; it has to fill its storage."""
    if tensor.size == 0:
        return lambda: tensor
    if tensor.dtype in _REDUCED:
        real_mint.all_reduce(place, op=op, group=group.name, async_op=True)
        return lambda: place
    arrived = exchange([tensor] * group.size(), [tensor.shape] * group.size(), group)
    return lambda: fold(arrived(), op)


def fold(parts: Sequence[Tensor], op: str) -> Tensor:
    """The parts of all ranks as one, in the order of ranks, so that all ranks get the same bits."""
    if parts[0].dtype == dtypes.bfloat16 and op in ("min", "max"):  # no kernel; exact in the wider dtype
        return fold([part.astype(dtypes.float32) for part in parts], op).astype(dtypes.bfloat16)
    return reduce(_FOLDS[op], parts)
