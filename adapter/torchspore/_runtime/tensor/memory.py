"""The memory of tensors. On a CPU a tensor's elements are read and written in place, through arrays of NumPy that lie
over the same addresses, strides included: MindSpore's own calls for it have no kernel, raise for slices or silently
write nothing (see adapter/NOTES.md). On Ascend MindSpore's in-place copy does it.

In: tensors of MindSpore. Out: the same memory, changed. Gradients and versions are left to `writing`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import mindspore, platform
from ..core.private import address_of, detach, is_enabled, set_enabled
from . import dtypes

_stride = mindspore.Tensor.stride
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__
_is_contiguous = mindspore.Tensor.is_contiguous
_from_numpy = mindspore.Tensor.from_numpy
_as_strided: Any = mindspore.ops.auto_generate.as_strided

BITS = np.dtype(np.int16)
"""NumPy has no bfloat16: its bits are moved as whole numbers."""


def on_cpu() -> bool:
    return platform() == "CPU"


def numpy_dtype(tensor: Any) -> Any:
    return dtypes.NUMPY.get(_dtype(tensor), BITS)


class _Look:
    """What NumPy is told of a tensor's memory; arrays made of it keep the tensor alive."""

    __slots__ = ("__array_interface__", "_tensor")

    def __init__(self, tensor: Any, kind: Any) -> None:
        self._tensor = tensor
        self.__array_interface__ = {
            "version": 3,
            "shape": tuple(_shape(tensor)),
            "typestr": kind.str,
            "data": (address_of(tensor), False),
            "strides": tuple(step * kind.itemsize for step in _stride(tensor)),
        }


def array(tensor: Any) -> Any:
    """The elements as an array over the same memory. CPU only."""
    kind = numpy_dtype(tensor)
    shape = _shape(tensor)
    return np.empty(shape, kind) if 0 in shape else np.asarray(_Look(tensor, kind))


def write(tensor: Any, values: Any) -> None:
    """Write the elements of another tensor of the same shape and dtype into the memory of a tensor."""
    if on_cpu():
        array(tensor)[...] = array(values)
        return
    before = is_enabled()
    set_enabled(False)
    try:
        mindspore.Tensor.copy_(detach(tensor), detach(values))
    finally:
        set_enabled(before)


def copied(tensor: Any) -> Any:
    """The same elements in new memory, in rows, outside of the graph."""
    if not on_cpu():
        return mindspore.ops.mul(detach(tensor), 1)
    return from_array(np.array(array(tensor), order="C"), _dtype(tensor))


def from_array(values: Any, dtype: Any = None) -> Any:
    """A tensor of MindSpore over the memory of an array in rows; bits stand for bfloat16 if that is the dtype."""
    values = np.asarray(values)
    if not values.flags.c_contiguous:
        values = np.ascontiguousarray(values)
    if not values.flags.writeable:
        values = values.copy()
    made = _from_numpy(values)
    if dtype is not None and dtype == dtypes.bfloat16 and values.dtype == BITS:
        made = mindspore.Tensor.view(made, dtypes.bfloat16)
    return made


def numpy_values(tensor: Any) -> Any:
    """The elements as an array that shares memory on a CPU; of bfloat16, a copy in float32."""
    if _dtype(tensor) == dtypes.bfloat16:
        bits = array(tensor) if on_cpu() else mindspore.Tensor.view(tensor, dtypes.int16).asnumpy()
        wide = np.ascontiguousarray(bits).view(np.uint16).astype(np.uint32) << 16
        return wide.view(np.float32).reshape(bits.shape)  # NumPy adds a dimension to what has none
    return mindspore.Tensor.asnumpy(tensor) if not on_cpu() or _is_contiguous(tensor) else array(tensor)


def strided(tensor: Any, size: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """Another look at the whole memory behind a tensor, outside of the graph, with the same count of writes. What
    `set_` makes keeps the shape of the tensor for some of MindSpore's functions, which then read beyond it."""
    return _as_strided(detach(tensor), size, stride, offset)
