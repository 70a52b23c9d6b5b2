"""Other dtypes, other devices, other containers: `to`, `type`, `float()`, `numpy()`, `item()`, `tolist()` and the
tensors that are made after the model of one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from ..core.private import in_graph, is_enabled
from . import devices, dtypes, memory
from .base import attach
from .creating import wrap
from .kernels import cast
from .promotion import result_type
from .shapes import clone
from .size import called_with
from .views import outside

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__
_size = mindspore.Tensor.size.__get__
_itemsize = mindspore.Tensor._itemsize.__get__

TYPES = {
    "FloatTensor": dtypes.float32, "DoubleTensor": dtypes.float64, "HalfTensor": dtypes.float16,
    "BFloat16Tensor": dtypes.bfloat16, "LongTensor": dtypes.int64, "IntTensor": dtypes.int32,
    "ShortTensor": dtypes.int16, "CharTensor": dtypes.int8, "ByteTensor": dtypes.uint8, "BoolTensor": dtypes.bool_,
    "ComplexFloatTensor": dtypes.complex64, "ComplexDoubleTensor": dtypes.complex128, "UInt16Tensor": dtypes.uint16,
    "UInt32Tensor": dtypes.uint32, "UInt64Tensor": dtypes.uint64,
}  # fmt: skip
BY_METHOD = {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
    "bool": dtypes.bool_, "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}  # fmt: skip


def converted(self: Any, dtype: Any, copy: bool = False) -> Any:
    """The values in a dtype; the tensor itself if it has that and no copy is asked for."""
    record()
    wanted, own = dtypes.of(dtype), dtypes.of(_dtype(self))
    if wanted is own:
        return clone(self) if copy else self
    if wanted == dtypes.bool_ and memory.on_cpu():
        return wrap(memory.from_array(memory.numpy_values(self) != 0))
    if memory.on_cpu() and not (is_enabled() and in_graph(self)) and wanted in dtypes.NUMPY:
        with np.errstate(invalid="ignore", over="ignore"):
            return wrap(memory.from_array(memory.numpy_values(self).astype(dtypes.NUMPY[wanted])))
    return wrap(cast(self, wanted))


def to(self: Any, *where: Any, **keywords: Any) -> Any:
    """Another dtype or device, by name, by object or as another tensor has it."""
    dtype, device = keywords.pop("dtype", None), keywords.pop("device", None)
    copy = bool(keywords.pop("copy", False))
    keywords.pop("non_blocking", None)
    keywords.pop("memory_format", None)
    if "other" in keywords:
        other = keywords.pop("other")
        if not isinstance(other, _Plain):
            raise TypeError(f"to(): argument 'other' must be Tensor, not {type(other).__name__}")
        where = (other, *where)
    if keywords:
        raise TypeError(f"to() received an invalid keyword argument: {', '.join(keywords)}")
    for number, each in enumerate(where):
        if isinstance(each, _Plain):
            dtype = _dtype(each)
        elif isinstance(each, bool) and number:
            copy = copy or (each and number == 2)
        elif each in dtypes.ALL:
            dtype = each
        elif each is not None:
            device = each
    devices.check(device)
    return converted(self, _dtype(self) if dtype is None else dtype, copy)


def type_(self: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of the tensor's type, or the values in another."""
    if dtype is None:
        own = dtypes.of(_dtype(self))
        return "torch." + next(name for name, each in TYPES.items() if each == own)
    if isinstance(dtype, type) and hasattr(dtype, "dtype"):
        dtype = dtype.dtype  # one of the older types
    if isinstance(dtype, str):
        dtype = TYPES[dtype.removeprefix("torch.")]
    return converted(self, dtype)


def numpy(self: Any, *, force: bool = False) -> Any:
    """The elements as an array that shares memory."""
    if in_graph(self) and not force:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if _dtype(self) == dtypes.bfloat16:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return memory.array(self) if memory.on_cpu() else memory.numpy_values(self)


def item(self: Any) -> Any:
    """The one element as a number of Python."""
    if _size(self) != 1:
        raise RuntimeError(f"a Tensor with {_size(self)} elements cannot be converted to Scalar")
    return memory.numpy_values(self).reshape(()).item()


def tolist(self: Any) -> Any:
    return memory.numpy_values(self).tolist()


def _sizes(size: tuple[Any, ...]) -> tuple[int, ...]:
    return called_with(size)


def new_full(
    self: Any, size: Any, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: bool = False, requires_grad: bool = False,
) -> Any:  # fmt: skip
    """A tensor of one value with the dtype and the device of this one."""
    make = import_module("torchspore._runtime.operations.ranges").full  # it stands on this package
    kind = _dtype(self) if dtype is None else dtype
    return make(size, fill_value, dtype=kind, device=device, requires_grad=requires_grad)


def _new(value: Any) -> Any:
    def method(self: Any, *size: Any, **keywords: Any) -> Any:
        if not size:
            raise TypeError("a new tensor needs a size")
        return new_full(self, called_with(size), value, **keywords)

    return method


def new_tensor(self: Any, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor of data with the dtype of this one."""
    devices.check(device)
    found = memory.numpy_values(data) if isinstance(data, _Plain) else np.array(data)
    made = converted(wrap(memory.from_array(np.array(found))), _dtype(self) if dtype is None else dtype)
    return made.requires_grad_() if requires_grad else made


def cuda(self: Any, device: Any = None, non_blocking: bool = False, memory_format: Any = None) -> Any:
    devices.check("cuda" if device is None else f"cuda:{device}" if isinstance(device, int) else device)
    return self


def cpu(self: Any, memory_format: Any = None) -> Any:
    devices.check("cpu")
    return self


def array(self: Any, dtype: Any = None) -> Any:
    found = numpy(self)
    return found if dtype is None else found.astype(dtype, copy=False)


for _name, _kind in BY_METHOD.items():
    attach(_name, lambda self, memory_format=None, _kind=_kind: converted(self, _kind))
for _function in (to, numpy, item, tolist, new_full, new_tensor, cuda, cpu):
    attach(_function.__name__, _function)
attach("type", type_)
attach("__array__", array)
attach("new_zeros", _new(0))
attach("new_ones", _new(1))
attach("new_empty", _new(0))
attach("type_as", lambda self, other: converted(self, _dtype(other)))
attach("detach", lambda self: outside(self))
attach("dtype", property(lambda self: dtypes.of(_dtype(self))))
attach("_dtype", property(lambda self: dtypes.of(_dtype(self))))  # another object than MindSpore's: another choice
attach("_itemsize", property(lambda self: -_itemsize(self)))
attach("itemsize", property(lambda self: _itemsize(self)))
attach("device", property(lambda self: devices.here()))
attach("is_floating_point", lambda self: dtypes.of(_dtype(self)).is_floating_point)
attach("is_complex", lambda self: dtypes.of(_dtype(self)).is_complex)
attach("is_signed", lambda self: dtypes.of(_dtype(self)).is_signed)
attach("element_size", lambda self: dtypes.of(_dtype(self)).itemsize)

__all__ = ["converted", "result_type"]
