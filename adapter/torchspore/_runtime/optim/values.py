"""What update rules calculate with. On a CPU the elements of a tensor are an array over its memory, which is several
times as fast for the small steps of an optimiser; elsewhere they are the tensor itself. Rules use arithmetic, which
both have, and the functions here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import dtypes, memory
from ..tensor.creating import wrap
from ..tensor.kernels import cast
from ..tensor.writing import overwrite


def elements(tensor: Any) -> Any:
    """The elements to calculate with; of bfloat16, in float32."""
    if not memory.on_cpu():
        return tensor.detach()
    found = memory.numpy_values(tensor) if tensor.dtype == dtypes.bfloat16 else memory.array(tensor)
    return np.atleast_1d(found)


def put(tensor: Any, values: Any) -> None:
    """Write calculated elements into a tensor."""
    if not memory.on_cpu():
        tensor.copy_(values)
        return
    if tensor.dtype == dtypes.bfloat16:
        values = memory.array(cast(memory.from_array(values.astype(np.float32)), dtypes.bfloat16))
    overwrite(tensor, values.reshape(tuple(tensor.shape)))


def sqrt(values: Any) -> Any:
    return np.sqrt(values) if isinstance(values, np.ndarray) else values.sqrt()


def maximum(one: Any, other: Any) -> Any:
    return np.maximum(one, other) if isinstance(one, np.ndarray) else one.maximum(other)


def lerp(start: Any, end: Any, weight: float) -> Any:
    """The point between two; the calculation begins at the nearer one."""
    return start + weight * (end - start) if weight < 0.5 else end - (end - start) * (1 - weight)


def noughts(tensor: Any) -> Any:
    """A tensor like another, of noughts."""
    return tensor.detach().new_zeros(tuple(tensor.shape))


def count() -> Any:
    """A counter of steps: a tensor without dimensions, as saved states have it."""
    return wrap(memory.from_array(np.zeros((), np.float32)))


def counted(counter: Any) -> float:
    """Count one more step."""
    if memory.on_cpu():
        held = memory.array(counter)
        held[...] += 1
        return float(held)
    counter.add_(1)
    return float(counter.item())
