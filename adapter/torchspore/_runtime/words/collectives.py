"""Words of communication between ranks. Words on arguments make what MindSpore receives, words on results what a
caller's outputs receive.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..collectives.delivery import flat, whole
from ..collectives.groups import ProcessGroup, Root
from ..collectives.reductions import Reduction
from ..core.framework import Tensor, mindspore


def group_name(group: ProcessGroup) -> str:
    """The name by which MindSpore knows a group."""
    return group.name


def reduce_op(reduction: Reduction) -> str:
    """MindSpore's word for a reduction."""
    return reduction.op


def root_rank(root: Root, space: str) -> int:
    """The root's rank in the space that MindSpore counts in: `global` or `group`."""
    return {"global": root.world, "group": root.group}[space]


def at_least_1d(tensor: Tensor) -> Tensor:
    """A scalar tensor as one of length 1: what has no dimension 0 cannot be joined along it."""
    return tensor if tensor.ndim else flat(tensor)


def join(tensors: Sequence[Tensor]) -> Tensor:
    """The tensors of all ranks as one, along dimension 0."""
    return mindspore.mint.cat([at_least_1d(tensor) for tensor in tensors])


def shapes(tensors: Sequence[Tensor]) -> list[tuple[int, ...]]:
    """The shapes of the tensors, where MindSpore wants to know what it will receive."""
    return [tuple(tensor.shape) for tensor in tensors]


def shape(tensor: Tensor) -> tuple[int, ...]:
    """The shape of a tensor, where MindSpore wants to know what it will receive."""
    return tuple(tensor.shape)


def joined_like(tensor: Tensor, part: Tensor, count: int) -> Tensor:
    """A tensor that holds one part per rank, seen as those parts joined along dimension 0, as MindSpore wants it,
    whether the caller's parts are joined or stacked."""
    rows, rest = (part.shape[0], tuple(part.shape[1:])) if part.ndim else (1, ())
    shape = (count * rows, *rest)
    return tensor if tuple(tensor.shape) == shape else at_least_1d(tensor).reshape(shape)


def placeholders(tensors: Sequence[Tensor], like: Tensor, count: int) -> list[Tensor]:
    """The tensors to receive into; on ranks that receive nothing, tensors that nobody reads, because MindSpore wants
    a full list on every rank."""
    return whole(tensors) if tensors else [mindspore.mint.empty(like.shape, dtype=like.dtype) for _ in range(count)]


def split_per_rank(joined: Tensor, tensors: Sequence[Tensor]) -> list[Tensor]:
    """What one tensor holds for each rank along dimension 0, in the order of ranks; nothing where nothing is wanted.
    The pieces are cut from the flat tensor, so that it does not matter whether the ranks are stacked or joined."""
    flat = joined.reshape(-1)
    pieces, start = [], 0
    for tensor in tensors:
        pieces.append(flat[start : start + tensor.size])
        start += tensor.size
    return pieces


def same_shape(tensors: Sequence[Tensor]) -> bool:
    """Whether all tensors have one shape."""
    return len({tuple(tensor.shape) for tensor in tensors}) <= 1


def zero(value: int) -> bool:
    """Whether a number is 0."""
    return value == 0
