"""Results reach the caller's own tensors. `whole` gives MindSpore a tensor that it can safely read and write; `into` writes a
result into the caller's tensor in place: same object, same dtype, through views of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from .framework import Tensor, dtypes, mindspore

_SAME_BITS = {dtypes.bfloat16: dtypes.int16}  # indexed assignment does not take the former


def is_whole(tensor: Tensor) -> bool:
    """Whether a tensor fills its own storage. MindSpore's collectives write nothing back into other views, and for
    a view that begins where its base begins they reduce all of the base."""
    return bool(
        tensor.size == 0
        or (
            tensor.is_contiguous()
            and tensor.storage_offset() == 0
            and tensor.untyped_storage().nbytes() == tensor.size * tensor.itemsize
        )
    )


@overload
def whole(value: Sequence[Tensor]) -> list[Tensor]: ...
@overload
def whole(value: Tensor) -> Tensor: ...
def whole(value: Any) -> Any:
    """The tensor itself if it fills its storage, otherwise a copy that does; the same for each of a list."""
    if isinstance(value, list | tuple):
        return [whole(tensor) for tensor in value]
    return value if is_whole(value) else _copy(value)


def flat(tensor: Tensor) -> Tensor:
    """A tensor in one dimension, safe to be viewed as another dtype: MindSpore crashes on the view of a scalar that was
    only reshaped, so a scalar is copied."""
    if tensor.ndim == 0:
        return mindspore.mint.cat([tensor.reshape((1,))])
    return (tensor if is_whole(tensor) else _copy(tensor)).reshape((-1,))


def into(output: Any, value: Any) -> bool:
    """Write a result, or one result per tensor of a list, into the caller's tensors. True if anything was copied:
    a result that already is the caller's tensor needs nothing, and an empty list wants nothing."""
    if isinstance(output, list | tuple):
        return any([into(tensor, part) for tensor, part in zip(output, value, strict=bool(output))])
    if value is output or output.size == 0:
        return False
    _write(output, value if value.shape == output.shape else value.reshape(output.shape))
    return True


def _copy(tensor: Tensor) -> Tensor:
    if tensor.ndim:
        return mindspore.mint.cat([tensor])
    return mindspore.mint.cat([tensor.reshape((1,))]).reshape(())


def _write(output: Tensor, value: Tensor) -> None:
    """Copy, or for views assign by slice: a copy writes nothing into transposed views and takes too much from others, and
    other ways replace the storage. A wrong shape would be broadcast silently, so it is settled before."""
    if is_whole(output) and is_whole(value):
        output.copy_(value)
        return
    carrier = _SAME_BITS.get(output.dtype)
    if carrier is not None:
        output, value = output.view(carrier), value.view(carrier)
    if output.ndim == 0:
        output, value = output.reshape((1,)), value.reshape((1,))
    output[:] = value
