"""How layers make what they learn: parameters and buffers of a shape, before initial values are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import foreign
from ..module.parameter import Parameter
from ..tensor import devices, dtypes, streams
from ..tensor.creating import wrap
from ..tensor.kernels import filled

streams.install()  # initial values are drawn into tensors of this runtime


def buffer(shape: Sequence[int], value: float, device: Any = None, dtype: Any = None) -> Any:
    """A tensor of one value."""
    devices.check(device)
    if foreign.is_torch(dtype):
        raise TypeError(f"dtype: {foreign.remedy([dtype])}")
    if any(each < 0 for each in shape):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    return wrap(filled(tuple(shape), value, dtypes.default() if dtype is None else dtype))


def parameter(shape: Sequence[int], device: Any = None, dtype: Any = None, value: float = 0) -> Any:
    """A parameter of one value."""
    return Parameter(buffer(shape, value, device, dtype))


def several(value: Any, rank: int) -> tuple[Any, ...]:
    """One number per dimension, out of one or several."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * rank
