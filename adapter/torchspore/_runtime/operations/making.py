"""How tensors are made of Python's numbers, lists and NumPy's arrays, and with which dtype. In: what a program holds.
Out: tensors. Numbers that are drawn at random are left to `random`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.framework import mindspore
from ..tensor import dtypes, memory
from ..tensor import from_numpy as from_numpy
from ..tensor.base import Tensor
from ..tensor.computed import tensor_of
from ..tensor.conversion import converted
from ..tensor.creating import from_mindspore, wrap
from ..tensor.devices import check
from ..tensor.kernels import filled
from ..tensor.promotion import result_type
from ..tensor.size import called_with

_Plain = mindspore.Tensor
_shape = mindspore.Tensor.shape.__get__
_dtype = mindspore.Tensor._dtype.__get__


def tensor(
    data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Any:
    """A new tensor with the values of a number, of lists of them, of an array or of a tensor."""
    check(device)
    made = _copied(data, None if dtype is None else dtypes.of(dtype))
    return made.requires_grad_() if requires_grad else made


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """The same memory as a tensor where there is one, else a new tensor."""
    check(device)
    if isinstance(data, _Plain):
        made = data if isinstance(data, Tensor) else from_mindspore(data)
    elif isinstance(data, np.ndarray) and data.dtype in dtypes.BY_NUMPY and data.flags.c_contiguous:
        made = from_numpy(data)
    else:
        made = _copied(data, None if dtype is None else dtypes.of(dtype))
    return made if dtype is None else converted(made, dtypes.of(dtype))


def _copied(data: Any, wanted: Any) -> Any:
    """A tensor with memory of its own, of the dtype that is wanted or of the one that fits."""
    if isinstance(data, _Plain):
        made = wrap(memory.copied(data))
    elif isinstance(data, (np.ndarray, np.generic)) or (
        hasattr(data, "__array__") and not isinstance(data, (list, tuple))
    ):
        made = from_numpy(np.array(data, order="C"))
    else:
        return _of_lists(data, wanted)
    return made if wanted is None else converted(made, wanted)


def _of_lists(data: Any, wanted: Any) -> Any:
    kind = _kind(data)
    values = _values(data)
    target = kind if wanted is None else wanted
    try:
        array = np.array(values, _EXACTLY.get(kind.kind) or dtypes.NUMPY[kind])
    except ValueError as uneven:
        raise ValueError(f"the lists that a tensor is made of differ in length: {_lengths(data)}") from uneven
    except OverflowError as large:
        if target.kind in "ui":
            raise ValueError(f"a value cannot be converted to type {target}: it has more than 64 bits") from large
        array = np.array(values, np.float64)
    if target.kind in "ui" and target is not kind:
        _within(array, target)
    return wrap(tensor_of(array.astype(dtypes.NUMPY[target]) if target in dtypes.NUMPY else array, target))


_EXACTLY = {"f": np.float64, "c": np.complex128}
"""In what Python's numbers are read before they are rounded to a dtype."""


def _within(array: Any, target: Any) -> None:
    """Refuse values that a dtype of whole numbers does not hold; whole ones that are negative may wrap round."""
    limits = np.iinfo(dtypes.NUMPY[target])
    lowest = -limits.max if limits.min == 0 and array.dtype.kind in "bui" else limits.min
    if array.dtype.kind != "b" and not ((array >= lowest) & (array <= limits.max)).all():
        raise RuntimeError(f"value cannot be converted to type {target.name} without overflow")


def _kind(data: Any) -> Any:
    """The dtype that holds all values of nested lists."""
    found: Any = None
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Plain) and len(_shape(value)):
            own = dtypes.of(_dtype(value))
        elif isinstance(value, (list, tuple)) or (
            hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, (str, bytes, _Plain))
        ):
            waiting += list(value)
            continue
        else:
            own = _of_one(value)
        found = own if found is None else _wider(found, own)
    return dtypes.default() if found is None else found


def _of_one(value: Any) -> Any:
    if isinstance(value, _Plain):
        return dtypes.of(_dtype(value))
    if isinstance(value, np.generic) and value.dtype in dtypes.BY_NUMPY:
        return dtypes.BY_NUMPY[value.dtype]
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, float):
        return dtypes.default()
    if isinstance(value, int):
        return dtypes.int64
    if isinstance(value, complex):
        return dtypes.default_complex()
    if isinstance(value, str):
        raise ValueError("too many dimensions 'str': a tensor holds numbers")
    raise RuntimeError(f"Could not infer dtype of {type(value).__name__}")


def _wider(one: Any, other: Any) -> Any:
    return one if one is other else result_type(filled((1,), 0, one), filled((1,), 0, other))


def _values(data: Any) -> Any:
    if isinstance(data, _Plain):
        return memory.numpy_values(data).tolist()
    if isinstance(data, (list, tuple)):
        return [_values(each) for each in data]
    if hasattr(data, "__getitem__") and hasattr(data, "__len__") and not isinstance(data, (str, bytes)):
        return [_values(each) for each in data]
    return data


def _lengths(data: Any) -> list[Any]:
    return [len(each) if hasattr(each, "__len__") else 1 for each in data]


def scalar_tensor(
    s: Any,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Any:
    """A tensor without dimensions, of the default dtype unless another is asked for."""
    return tensor(s, dtype=dtypes.default() if dtype is None else dtype, device=device, requires_grad=requires_grad)


def empty(
    *size: Any,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
    memory_format: Any = None,
    layout: Any = None,
) -> Any:
    """A tensor of a shape; its values have no meaning, and are noughts here."""
    check(device)
    made = wrap(filled(called_with(size), 0, dtypes.default() if dtype is None else dtypes.of(dtype)))
    return made.requires_grad_() if requires_grad else made


def empty_like(
    input: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
    layout: Any = None,
    pin_memory: bool = False,
) -> Any:
    """A tensor of the shape of another; its values have no meaning, and are noughts here."""
    kind = dtypes.of(_dtype(input)) if dtype is None else dtype
    return empty(tuple(_shape(input)), dtype=kind, device=device, requires_grad=requires_grad)


def is_tensor(obj: Any) -> bool:
    """Whether something is a tensor."""
    return isinstance(obj, _Plain)


def get_default_dtype() -> Any:
    """The dtype that Python's floats become."""
    return dtypes.default()


def set_default_dtype(d: Any) -> None:
    """Say what Python's floats become."""
    dtypes.set_default(d)
