"""The older types of tensors, one per dtype, such as `LongTensor`. A tensor of that dtype counts as one of them, and
calling one makes a tensor of it: of lists, or uninitialised in a shape. None of them has objects of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import mindspore
from . import dtypes, memory
from .base import Tensor
from .creating import wrap
from .devices import check
from .kernels import cast, filled
from .size import called_with

_dtype = mindspore.Tensor._dtype.__get__


class TypedTensor(type):
    """The class of these types."""

    dtype: Any

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Tensor) and _dtype(value) == cls.dtype

    def __subclasscheck__(cls, kind: type) -> bool:
        return kind is cls

    def __call__(cls, *data: Any, device: Any = None) -> Any:
        check(device)
        if len(data) == 1 and isinstance(data[0], mindspore.Tensor):
            if _dtype(data[0]) != cls.dtype:
                raise TypeError(f"expected a {cls.dtype} tensor, and this is one of {dtypes.of(_dtype(data[0]))}")
            return wrap(mindspore.Tensor.view(data[0], data[0].shape))
        if len(data) == 1 and isinstance(data[0], str):
            raise TypeError("new(): invalid data type 'str'")
        if len(data) == 1 and not isinstance(data[0], int):
            return wrap(cast(memory.from_array(np.array(data[0], _NUMPY.get(cls.dtype, np.float32))), cls.dtype))
        return wrap(filled(called_with(data) if data else (0,), 0, cls.dtype))

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


_NUMPY = dtypes.NUMPY


def _typed(name: str, dtype: Any) -> Any:
    return TypedTensor(name, (), {"dtype": dtype, "__module__": "torch"})


FloatTensor = _typed("FloatTensor", dtypes.float32)
DoubleTensor = _typed("DoubleTensor", dtypes.float64)
HalfTensor = _typed("HalfTensor", dtypes.float16)
BFloat16Tensor = _typed("BFloat16Tensor", dtypes.bfloat16)
LongTensor = _typed("LongTensor", dtypes.int64)
IntTensor = _typed("IntTensor", dtypes.int32)
ShortTensor = _typed("ShortTensor", dtypes.int16)
CharTensor = _typed("CharTensor", dtypes.int8)
ByteTensor = _typed("ByteTensor", dtypes.uint8)
BoolTensor = _typed("BoolTensor", dtypes.bool_)
