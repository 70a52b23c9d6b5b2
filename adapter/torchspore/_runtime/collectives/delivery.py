"""Results reach the caller's own tensors. `whole` gives MindSpore a tensor that it can read and write in place;
`into` writes a result into the caller's tensor in place: same object, same dtype, through views of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from ..core.framework import Tensor, dtypes, mindspore, platform, unrecorded

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
    """Write a result, or one result per tensor of a list, into the caller's tensors. True if a copy is under way: a
    result that already is the caller's tensor needs none, and an empty list wants none."""
    with unrecorded():
        return _into(output, value)


def _into(output: Any, value: Any) -> bool:
    listed = isinstance(output, list | tuple)
    outputs, values = (output, value) if listed else ([output], [value])
    pairs = [
        (tensor, part if part.shape == tensor.shape else part.reshape(tensor.shape))
        for tensor, part in zip(outputs, values, strict=bool(outputs))
        if part is not tensor and tensor.size
    ]
    if platform() == "CPU":
        pairs = [(tensor, part) for tensor, part in pairs if not _in_memory(tensor, part)]
    plain = [fills_storage(tensor) and fills_storage(part) for tensor, part in pairs]  # before any copy is under way
    for (tensor, part), is_plain in zip(pairs, plain, strict=True):
        if is_plain:
            tensor.copy_(part)
        else:
            _assign(tensor, part)
    return bool(pairs)


def _in_memory(output: Tensor, value: Tensor) -> bool:
    """Write without a kernel, where a tensor and its array are the same memory: not so for views."""
    place = output.asnumpy()
    if place.ctypes.data != output.data_ptr():
        return False
    place[...] = value.asnumpy()
    return True


def _assign(output: Tensor, value: Tensor) -> None:
    """Assign by slice: a copy writes nothing into transposed views and takes too much from others, and other ways
    replace the storage. A wrong shape would be broadcast silently, so it is settled before."""
    carrier = _SAME_BITS.get(output.dtype)
    if carrier is not None:
        output, value = output.view(carrier), value.view(carrier)
    if output.ndim == 0:
        output, value = output.reshape((1,)), value.reshape((1,))
    output[:] = value
