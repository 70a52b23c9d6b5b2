"""The arithmetic of MindSpore, by what has a kernel: on Ascend that is `mint`, on a CPU what this table names. Each
takes and gives tensors of MindSpore, of one dtype; what is recorded of it has a right backward.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..core.framework import mindspore, platform
from . import dtypes, memory
from .computed import computed

_Plain = mindspore.Tensor
_ops: Any = mindspore.ops
_dtype = mindspore.Tensor._dtype.__get__
_shape = mindspore.Tensor.shape.__get__
_cast = mindspore.ops.cast

Kernel = Callable[..., Any]


def _matmul(one: Any, other: Any) -> Any:
    if dtypes.of(_dtype(one)).kind in "bui":
        return memory.from_array(np.matmul(memory.array(one), memory.array(other)))
    return _ops.matmul(one, other)


def _pow(base: Any, exponent: Any) -> Any:
    kind = dtypes.of(_dtype(base)).kind
    if kind == "b":
        return cast(_Plain.__pow__(cast(base, dtypes.int32), cast(exponent, dtypes.int32)), dtypes.bool_)
    return _whole_power(memory.array(base), memory.array(exponent)) if kind in "ui" else _Plain.__pow__(base, exponent)


def _whole_power(base: Any, exponent: Any) -> Any:
    """The power of whole numbers, which wraps round; with a negative exponent only that of 1 and -1 is not nought."""
    found = np.power(base, np.maximum(exponent, 0))
    unit = np.where(exponent % 2 == 0, base * base, base)
    return memory.from_array(np.where(exponent < 0, np.where(np.abs(base) == 1, unit, 0), found).astype(base.dtype))


def _quotient(one: Any, other: Any) -> Any:
    """The quotient rounded down, as Python has it."""
    with np.errstate(all="ignore"):
        return memory.from_array(np.floor_divide(memory.array(one), memory.array(other)))


def _rest(one: Any, other: Any) -> Any:
    """What division leaves, with the sign of the divisor; a rest of nought keeps the sign of the dividend."""
    first, second = memory.array(one), memory.array(other)
    with np.errstate(all="ignore"):
        rest = np.fmod(first, second)
        return memory.from_array(np.where((rest != 0) & ((second < 0) != (rest < 0)), rest + second, rest))


def _atan2(one: Any, other: Any) -> Any:
    """The angle of a point. MindSpore's own takes strided tensors for what they are a part of."""
    first, second = (np.array(memory.array(each)) for each in (one, other))
    squared = first * first + second * second
    squared = np.where(squared == 0, np.inf, squared)  # the origin has no angle, and no gradient
    values = np.arctan2(first, second)
    return computed(values, _dtype(one), (one, other), lambda g: (g * second / squared, -g * first / squared))


def _divided(one: Any, other: Any) -> Any:
    """The quotient. MindSpore takes a divisor of -0 for 0, and has another gradient where a divisor is 0."""
    if not isinstance(other, _Plain) or not isinstance(one, _Plain):
        return _Plain.__truediv__(one, other)
    second = memory.array(other)
    if second.all():
        return _Plain.__truediv__(one, other)
    first, second = np.array(memory.array(one)), np.array(second)
    with np.errstate(all="ignore"):
        values = first / second

    def gradients(gradient: Any) -> Any:
        return gradient / second.conj(), -gradient * (values / second).conj()

    return computed(values, _dtype(one), (one, other), gradients)


def _extreme(name: str) -> Kernel:
    """The larger or the smaller of two numbers; nan is both."""
    compute, look = getattr(_ops, name), getattr(np, name)

    def function(one: Any, other: Any) -> Any:
        kind = dtypes.of(_dtype(one)).kind
        if kind in "bui":
            return memory.from_array(look(memory.array(one), memory.array(other)))
        first, second = _spread(one, other)
        found = compute(first, second)
        unordered = np.isnan(memory.array(first)) | np.isnan(memory.array(second))
        if not unordered.any():
            return found
        return _ops.where(memory.from_array(unordered), _Plain.__add__(first, second), found)

    return function


def _spread(one: Any, other: Any) -> tuple[Any, Any]:
    """Two tensors in the one shape that both can be repeated to: some kernels do that for few dimensions only."""
    shape = np.broadcast_shapes(tuple(_shape(one)), tuple(_shape(other)))
    return broadcast(one, shape), broadcast(other, shape)


def _sign(tensor: Any) -> Any:
    if dtypes.of(_dtype(tensor)).kind in "bui":
        return memory.from_array(
            np.sign(memory.array(tensor)) if _dtype(tensor) != dtypes.bool_ else memory.array(tensor)
        )
    return _ops.sign(tensor)


def _rounding(name: str) -> Kernel:
    compute = getattr(_ops, name)

    def function(tensor: Any) -> Any:
        return memory.copied(tensor) if dtypes.of(_dtype(tensor)).kind in "ui" else compute(tensor)

    return function


def _asked(question: Any) -> Kernel:
    return lambda tensor: memory.from_array(question(memory.numpy_values(tensor)))


CPU: dict[str, Kernel] = {
    "add": _Plain.__add__,
    "sub": _Plain.__sub__,
    "mul": _Plain.__mul__,
    "div": _divided,
    "floor_divide": _quotient,
    "remainder": _rest,
    "pow": _pow,
    "matmul": _matmul,
    "eq": _ops.equal,
    "ne": _ops.not_equal,
    "lt": _ops.less,
    "le": _ops.less_equal,
    "gt": _ops.greater,
    "ge": _ops.greater_equal,
    "maximum": _extreme("maximum"),
    "minimum": _extreme("minimum"),
    "atan2": _atan2,
    "bitwise_and": _ops.bitwise_and,
    "bitwise_or": _ops.bitwise_or,
    "bitwise_xor": _ops.bitwise_xor,
    "logical_and": _ops.logical_and,
    "logical_or": _ops.logical_or,
    "logical_not": _ops.logical_not,
    "neg": _ops.neg,
    "abs": _ops.abs,
    "where": _ops.where,
    "masked_fill": _ops.masked_fill,
    "broadcast": _ops.broadcast_to,
    "relu": _ops.relu,
    "sign": _sign,
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "round": _rounding("round"),
    "trunc": _rounding("trunc"),
    "isnan": _asked(np.isnan),
    "isinf": _asked(np.isinf),
    "isfinite": _asked(np.isfinite),
}
"""By name, what a CPU has a kernel for; names that are not listed are those of `mindspore.ops`."""

ON_ASCEND = {"div": "div", "broadcast": "broadcast_to", "masked_fill": "masked_fill"}


@cache
def kernel(name: str) -> Kernel:
    """What computes an operation on this platform."""
    if platform() == "CPU":
        return CPU[name] if name in CPU else getattr(_ops, name)
    found: Kernel = getattr(mindspore.mint, ON_ASCEND.get(name, name), None) or getattr(_ops, name)
    return found


def cast(tensor: Any, dtype: Any) -> Any:
    """The values in another dtype; the tensor itself if it has that."""
    if dtypes.of(dtype).is_complex and _dtype(tensor) == dtypes.bfloat16:
        tensor = _cast(tensor, dtypes.float32)  # MindSpore leaves garbage in the first element
    return tensor if _dtype(tensor) == dtype else _cast(tensor, dtype)


def computed_in(dtype: Any) -> Any:
    """The dtype that a calculation is carried out in: a CPU has few kernels for bfloat16."""
    return dtypes.float32 if dtype == dtypes.bfloat16 and platform() == "CPU" else dtype


def filled(shape: tuple[int, ...], value: Any, dtype: Any) -> Any:
    """A tensor of one value."""
    if dtype == dtypes.bfloat16:
        return cast(memory.from_array(np.full(shape, value, np.float32)), dtype)
    return memory.from_array(np.full(shape, value, dtypes.NUMPY[dtypes.of(dtype)]))


def broadcast(tensor: Any, shape: tuple[int, ...]) -> Any:
    """The values repeated to a shape."""
    return tensor if tuple(_shape(tensor)) == shape else kernel("broadcast")(tensor, shape)
