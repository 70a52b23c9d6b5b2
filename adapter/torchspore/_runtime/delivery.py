"""Results reach the caller's own tensors. `whole` gives MindSpore a tensor that it can read and write in place;
`into` writes a result into the caller's tensor in place: same object, same dtype, through views of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from .framework import Tensor, dtypes, mindspore

_SAME_BITS = {dtypes.bfloat16: dtypes.int16}  # indexed assignment does not take the former


@overload
def whole(value: Sequence[Tensor]) -> list[Tensor]: ...
@overload
def whole(value: Tensor) -> Tensor: ...
def whole(value: Any) -> Any:
    """The tensor itself if its elements lie one after the other from the start, otherwise a copy whose do; the same for
    each of a list. MindSpore's collectives write nothing back into other views."""
    if isinstance(value, list | tuple):
        return [whole(tensor) for tensor in value]
    return value if value.is_contiguous() and value.storage_offset() == 0 else fresh(value)


def fresh(tensor: Tensor) -> Tensor:
    """A copy with a storage of its own. It is only enqueued, as an assignment would not be."""
    if tensor.ndim:
        return mindspore.mint.cat([tensor])
    return mindspore.mint.cat([tensor.reshape((1,))]).reshape(())


def flat(tensor: Tensor) -> Tensor:
    """A tensor in one dimension, safe to be viewed as another dtype: MindSpore crashes on the view of a scalar that was
    only reshaped, so a scalar is copied."""
    return tensor.reshape((-1,)) if tensor.ndim else mindspore.mint.cat([tensor.reshape((1,))])


def fills_storage(tensor: Tensor) -> bool:
    """Whether a tensor and its storage are the same. For a view that begins where its base begins, but is smaller,
    MindSpore writes to all of the base. To ask this waits for everything that was enqueued."""
    return bool(
        tensor.is_contiguous()
        and tensor.storage_offset() == 0
        and tensor.untyped_storage().nbytes() == tensor.size * tensor.itemsize
    )


def into(output: Any, value: Any) -> bool:
    """Write a result, or one result per tensor of a list, into the caller's tensors. True if anything was copied:
    a result that already is the caller's tensor needs nothing, and an empty list wants nothing."""
    if isinstance(output, list | tuple):
        return any([into(tensor, part) for tensor, part in zip(output, value, strict=bool(output))])
    if value is output or output.size == 0:
        return False
    _write(output, value if value.shape == output.shape else value.reshape(output.shape))
    return True


def _write(output: Tensor, value: Tensor) -> None:
    """Copy, or for views assign by slice: a copy writes nothing into transposed views and takes too much from
    others, and other ways replace the storage. A wrong shape would be broadcast silently, so it is settled
    before."""
    if fills_storage(output) and fills_storage(value):
        output.copy_(value)
        return
    carrier = _SAME_BITS.get(output.dtype)
    if carrier is not None:
        output, value = output.view(carrier), value.view(carrier)
    if output.ndim == 0:
        output, value = output.reshape((1,)), value.reshape((1,))
    output[:] = value
