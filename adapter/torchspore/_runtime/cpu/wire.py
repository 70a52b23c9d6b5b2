"""Tensors between ranks on a CPU. In: tensors of any dtype and shape. Out: the tensors of the other ranks. A dtype that the
kernels do not move travels as an integer of the same width; empty tensors do not travel. Rooms for what arrives are made
without an operation of MindSpore, because asking for the shape of a result waits for its queue.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from ..delivery import flat, is_whole, whole
from ..framework import Tensor, dtypes, mindspore, real_comm_func
from ..groups import ProcessGroup, job, resolve

# The public functions send within MindSpore's default group, which on a CPU does not exist.
_primitives: Any = importlib.import_module("mindspore.ops.auto_generate.gen_ops_prim")
_numpy: Any = importlib.import_module("numpy")
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


def group_of(name: str | None) -> ProcessGroup:
    """The group of a name; MindSpore's default name and None mean all ranks."""
    group = job().world if name in (None, "hccl_world_group") else resolve(name)
    if group is None:
        raise RuntimeError(f"This process is not in the group {name!r}.")
    return group


def handle_for(async_op: bool) -> Any:
    """What a call returns beside its result. Everything is in one queue, so there is nothing more to wait for."""
    return real_comm_func.CommHandle() if async_op else None


def reduces(tensor: Tensor) -> bool:
    """Whether the kernels that reduce take a tensor as it is."""
    return tensor.dtype in _REDUCED and tensor.size > 0 and is_whole(tensor)


def pack(tensor: Tensor) -> Tensor:
    """A tensor as it travels."""
    line: Tensor = flat(tensor) if tensor.dtype == dtypes.complex128 else whole(tensor)
    return line.view(_CARRIERS[tensor.dtype]) if tensor.dtype in _CARRIERS else line


def room(shape: Sequence[int], dtype: Any) -> Tensor:
    """Where a tensor of this shape and dtype arrives."""
    size = (math.prod(shape) * 2,) if dtype == dtypes.complex128 else tuple(shape)
    return mindspore.Tensor.from_numpy(_numpy.empty(size, dtypes.dtype_to_nptype(_CARRIERS.get(dtype, dtype))))


def unpack(arrived: Tensor, shape: Sequence[int], dtype: Any) -> Tensor:
    """A tensor that has travelled, as it was before."""
    if dtype not in _CARRIERS:
        return arrived
    viewed = arrived.view(dtype)
    return viewed.reshape(tuple(shape)) if dtype == dtypes.complex128 else viewed


def exchange(outgoing: Sequence[Tensor], shapes: Sequence[Sequence[int]], group: ProcessGroup) -> list[Tensor]:
    """Send one tensor to each rank and receive one of the given shape from each, in the order of ranks. Both sides
    know the size of each message, so sizes may differ by rank."""
    own, size, dtype = group.rank(), group.size(), outgoing[0].dtype
    for step in range(1, size):
        to = (own + step) % size
        if outgoing[to].size:
            _primitives.dist_comm_isend_op(pack(outgoing[to]), to, group.name, 0)
    received = list(outgoing)
    for step in range(1, size):
        source = (own - step) % size
        arrived = room(shapes[source], dtype)
        if arrived.size:
            _primitives.dist_comm_irecv_op(arrived, 0, source, group.name)
        received[source] = unpack(arrived, shapes[source], dtype)
    return received


def fold(parts: Sequence[Tensor], op: str) -> Tensor:
    """The parts of all ranks as one, in the order of ranks, so that all ranks get the same bits."""
    if parts[0].dtype == dtypes.bfloat16 and op in ("min", "max"):  # no kernel; exact in the wider dtype
        return fold([part.astype(dtypes.float32) for part in parts], op).astype(dtypes.bfloat16)
    return reduce(_FOLDS[op], parts)
