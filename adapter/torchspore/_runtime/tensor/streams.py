"""Tensors for the parts of the runtime that compute with NumPy: random streams, initial weights, data and files. In:
arrays, and what files say of tensors. Out: tensors of this class, which share memory where files say so.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ..autograd.modes import no_grad
from ..core import arrays
from ..core.arrays import BFLOAT16, Layout
from ..core.errors import UnsupportedArgument
from ..core.framework import mindspore
from ..files import kinds
from ..files.kinds import DTYPES, UNTYPED, Kinds, Storage, View
from . import dtypes, memory
from .base import Tensor
from .devices import device, here
from .size import Size
from .writing import write

_Plain = mindspore.Tensor
_stride = mindspore.Tensor.stride
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__
_offset = mindspore.Tensor.storage_offset
_storage = mindspore.Tensor.untyped_storage


class OverMemory:
    """Arrays become tensors over their own memory, and tensors arrays."""

    def make(self, array: Any, dtype: str) -> Any:
        values = np.asarray(array)
        if dtype == BFLOAT16:
            return _tensor(kinds.to_bits(values).reshape(values.shape).view(memory.BITS), dtype)
        return _tensor(values, dtype)

    def read(self, tensor: Any) -> Any:
        return memory.numpy_values(tensor)

    def write(self, tensor: Any, array: Any) -> None:
        with no_grad():
            write(tensor, self.make(array, self.layout(tensor).dtype))

    def layout(self, tensor: Any) -> Layout:
        return Layout(tuple(_shape(tensor)), str(dtypes.of(_dtype(tensor)).name), tuple(_stride(tensor)))

    def is_tensor(self, value: object) -> bool:
        return isinstance(value, _Plain)


class OverStorages(Kinds):
    """Tensors of a file look at the memory of their storage; what belongs to tensors is this package's."""

    def tensor(self, view: View) -> Any:
        if 0 in view.shape:
            made = _tensor(np.empty(view.shape, _bits(view.dtype)), view.dtype)
        else:
            if view.dtype not in view.storage.kept:
                view.storage.kept[view.dtype] = _tensor(view.storage.data.view(_bits(view.dtype)), view.dtype)
            made = memory.strided(view.storage.kept[view.dtype], view.shape, view.strides, view.offset)
            made.__class__ = Tensor
        if view.requires_grad:
            made.requires_grad_()
        return made

    def parameter(self, tensor: Any, requires_grad: bool) -> Any:
        return _parameters().Parameter(tensor, requires_grad)

    def is_parameter(self, tensor: Any) -> bool:
        return bool(_parameters().is_parameter(tensor))

    def view(self, tensor: Any) -> tuple[object, View]:
        name = str(dtypes.of(_dtype(tensor)).name)
        if name not in (*DTYPES, *UNTYPED):
            raise UnsupportedArgument(f"save: files have no tensors of {name}.")
        shape, strides = tuple(_shape(tensor)), tuple(_stride(tensor))
        grad = bool(getattr(tensor, "requires_grad", False))  # tensors of MindSpore itself have none
        if 0 in shape or not memory.on_cpu():
            array = np.empty(0, np.uint8) if 0 in shape else memory.copied(tensor).asnumpy().reshape(-1).view(np.uint8)
            return id(tensor), View(Storage(array), name, 0, shape, arrays.in_rows(shape), grad)
        whole = _Whole(tensor)
        return whole.address, View(Storage(np.asarray(whole)), name, int(_offset(tensor)), shape, strides, grad)

    def dtype(self, name: str) -> Any:
        return dtypes.named(name)

    def dtype_name(self, value: object) -> str | None:
        return value.name if isinstance(value, dtypes.dtype) else super().dtype_name(value)

    def size(self, sizes: tuple[int, ...]) -> Any:
        return Size(sizes)

    def is_size(self, value: object) -> bool:
        return isinstance(value, Size)

    def device(self, kind: str, index: int | None) -> Any:
        return device(kind, index)

    def device_name(self, value: object) -> str | None:
        return str(value) if isinstance(value, device) else None

    def has_device(self, location: str) -> bool:
        return location.partition(":")[0] in ("cpu", here().type)


class _Whole:
    """What NumPy is told of all the memory behind a tensor; arrays made of it keep the tensor alive."""

    __slots__ = ("__array_interface__", "_tensor", "address")

    def __init__(self, tensor: Any) -> None:
        storage = _storage(tensor)
        self._tensor = tensor
        self.address = int(storage.data_ptr())
        self.__array_interface__ = {
            "version": 3,
            "shape": (int(storage.nbytes()),),
            "typestr": "|u1",
            "data": (self.address, True),
        }


def _tensor(array: Any, dtype: str) -> Any:
    made = memory.from_array(array, dtypes.named(dtype))
    made.__class__ = Tensor
    return made


def _parameters() -> Any:
    """The module of parameters, which stands on this package and so cannot be imported with it."""
    return importlib.import_module("torchspore._runtime.module.parameter")


def _bits(dtype: str) -> Any:
    return memory.BITS if dtype == BFLOAT16 else np.dtype(dtype)


def install() -> None:
    """Let the whole runtime make and read tensors of this class."""
    arrays.use(OverMemory())
    kinds.use(OverStorages())
