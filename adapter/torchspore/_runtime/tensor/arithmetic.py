"""Operations with one or two operands, as functions and as operators: torch's choice of the dtype around MindSpore's
kernels. `binary` and `unary` make such a function of a kernel's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from . import dtypes, memory
from .base import Tensor, attach
from .creating import wrap
from .kernels import cast, computed_in, filled, kernel
from .promotion import KIND, promote, result_type
from .steps import undecided

_Plain = mindspore.Tensor
_dtype = mindspore.Tensor._dtype.__get__
_ndim = mindspore.Tensor.ndim.__get__
_shape = mindspore.Tensor.shape.__get__
_size = mindspore.Tensor.size.__get__

PLAIN = {id(_dtype(_Plain(0, each))) for each in (dtypes.float32, dtypes.float64)}
"""The dtypes that need no thought where both operands have them; dtypes are objects of which there is one each."""

NUMBERS = (int, float, complex)
IMPRECISE = (
    frozenset(["exp", "log", "log2", "log10", "log1p", "expm1", "tanh", "sigmoid"]) if memory.on_cpu() else frozenset()
)
"""Whose float32 kernels on a CPU are off by up to 1e-4 (see adapter/NOTES.md); those of float64 are not."""
PRECISELY = {dtypes.float32: dtypes.float64, dtypes.float16: dtypes.float64, dtypes.bfloat16: dtypes.float64}
FUNCTIONS: dict[str, Callable[..., Any]] = {}
"""Every function that is made here, by torch's name."""


def operand(value: Any) -> Any:
    """A number or a tensor out of what was given; None if it is neither."""
    if isinstance(value, (_Plain, *NUMBERS)):
        return value
    if hasattr(value, "dtype") and hasattr(value, "__array__"):
        import numpy as np

        found = np.asarray(value)
        return found.item() if found.ndim == 0 else wrap(memory.from_array(found))
    return None


def binary(
    name: str,
    *,
    to_float: bool = False,
    check: Callable[[Any, Any, Any], None] | None = None,
    compares: bool = False,
    plain: bool = True,
) -> Callable[[Any, Any], Any]:
    """A function of two operands that are brought to one dtype."""
    compute = kernel(name)

    def function(input: Any, other: Any) -> Any:
        record()
        one = type(other)
        if plain and (type(input) is Tensor or isinstance(input, _Plain)) and id(kind := _dtype(input)) in PLAIN:
            if one is Tensor or isinstance(other, _Plain):
                if _dtype(other) is kind:
                    return wrap(compute(input, other))
            elif one is float or one is int:
                return wrap(compute(input, other))
        return wrap(careful(input, other))

    def careful(input: Any, other: Any) -> Any:
        for each in (input, other):
            if not isinstance(each, (_Plain, *NUMBERS)):
                raise TypeError(f"{name}(): argument must be Tensor or Number, not {type(each).__name__}")
        result = result_type(input, other, compares=compares)
        if to_float and KIND[result.kind] < 2:
            result = dtypes.default()
        if check is not None:
            check(input, other, result)
        inside = computed_in(result)
        found = compute(_as(input, inside), _as(other, inside))
        return found if compares else cast(found, result)

    function.__name__ = function.__qualname__ = name
    FUNCTIONS[name] = function
    return function


def _as(value: Any, dtype: Any) -> Any:
    """A tensor of a dtype: numbers become tensors, so that MindSpore chooses nothing."""
    if isinstance(value, _Plain):
        return cast(value, dtype)
    return filled((), value, dtype)


def unary(
    name: str, *, to_float: bool = False, refuses: str = "", gives_bool: bool = False, gives_real: bool = False
) -> Callable[[Any], Any]:
    """A function of one operand; whole numbers become fractions first where the result is one."""
    compute = kernel(name)
    inside = PRECISELY if name in IMPRECISE else {}

    def function(input: Any) -> Any:
        record()
        kind = dtypes.of(_dtype(input))
        if kind.kind in refuses:
            raise RuntimeError(f"{name} is not implemented for {kind}")
        result = dtypes.default() if to_float and KIND[kind.kind] < 2 else kind
        found = compute(cast(input, inside.get(result) or computed_in(result)))
        return wrap(found if gives_bool else cast(found, result.to_real() if gives_real else result))

    function.__name__ = function.__qualname__ = name
    FUNCTIONS[name] = function
    return function


def _no_bools(input: Any, other: Any, result: Any) -> None:
    kinds = [
        _dtype(each) == dtypes.bool_ if isinstance(each, _Plain) else type(each) is bool for each in (input, other)
    ]
    if any(kinds):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. "
            "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def _whole_divisor(input: Any, other: Any, result: Any) -> None:
    if result.kind in "bc":
        raise NotImplementedError(f"division with rounding is not implemented for {result}")
    if result.kind in "ui":
        zero = (memory.numpy_values(other) == 0).any() if isinstance(other, _Plain) else other == 0
        if zero:
            raise RuntimeError("ZeroDivisionError")


def _whole_power(input: Any, other: Any, result: Any) -> None:
    if result.kind == "b" and isinstance(other, _Plain):
        raise RuntimeError("pow is not implemented for truth values")
    if result.kind in "ui" and not isinstance(other, _Plain) and other < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")


def _only_whole(input: Any, other: Any, result: Any) -> None:
    if result.kind in "fc":
        raise RuntimeError(f"a bitwise operation is not implemented for {result}")


def _no_complex(input: Any, other: Any, result: Any) -> None:
    if result.is_complex:
        raise RuntimeError("complex numbers have no order")


_add = binary("add")
_sub = binary("sub", check=_no_bools)
mul = binary("mul")
true_divide = binary("div", to_float=True)
floor_divide = binary("floor_divide", check=_whole_divisor, plain=False)
remainder = binary("remainder", check=_whole_divisor, plain=False)
pow_ = binary("pow", check=_whole_power, plain=False)
maximum = binary("maximum", check=_no_complex, plain=False)
minimum = binary("minimum", check=_no_complex, plain=False)
atan2 = binary("atan2", to_float=True, plain=False)
eq = binary("eq", compares=True, plain=False)
ne = binary("ne", compares=True, plain=False)
lt = binary("lt", compares=True, plain=False, check=_no_complex)
le = binary("le", compares=True, plain=False, check=_no_complex)
gt = binary("gt", compares=True, plain=False, check=_no_complex)
ge = binary("ge", compares=True, plain=False, check=_no_complex)
bitwise_and = binary("bitwise_and", check=_only_whole, plain=False)
bitwise_or = binary("bitwise_or", check=_only_whole, plain=False)
bitwise_xor = binary("bitwise_xor", check=_only_whole, plain=False)

for _name in [
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "sigmoid",
    "erf",
    "erfc",
]:
    unary(_name, to_float=True)
reciprocal = unary("reciprocal", to_float=True)
neg = unary("neg", refuses="b")
unary("abs", refuses="b", gives_real=True)
unary("sign", refuses="c")
for _name in ["floor", "ceil", "round", "trunc"]:
    unary(_name, refuses="bc")
relu = unary("relu", refuses="bc")
for _name in ("isnan", "isinf", "isfinite"):
    unary(_name, gives_bool=True)


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The sum; the second operand counts `alpha` times."""
    return _add(input, other if type(alpha) is int and alpha == 1 else mul(_tensor(other), alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The difference; the second operand counts `alpha` times."""
    return _sub(input, other if type(alpha) is int and alpha == 1 else mul(_tensor(other), alpha))


def _tensor(value: Any) -> Any:
    return value if isinstance(value, _Plain) else filled((), value, result_type(value))


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
    """The quotient, as it is or rounded down or towards nought."""
    if rounding_mode is None:
        return true_divide(input, other)
    if rounding_mode == "floor":
        return floor_divide(input, other)
    if rounding_mode != "trunc":
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}"
        )
    result = result_type(input, other)
    if result.kind == "f":
        return FUNCTIONS["trunc"](true_divide(input, other))
    _whole_divisor(input, other, result)
    down = floor_divide(input, other)
    left = sub(input, mul(down, other))
    uneven = bitwise_and(ne(left, 0), ne(lt(input, 0), lt(other, 0) if isinstance(other, _Plain) else other < 0))
    return add(down, wrap(cast(uneven, result)))


def logical_not(input: Any) -> Any:
    return eq(input, 0)


def bitwise_not(input: Any) -> Any:
    """The complement of whole numbers; of truth values, the opposite."""
    kind = dtypes.of(_dtype(input))
    if kind == dtypes.bool_:
        return logical_not(input)
    if kind.kind in "fc":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_xor(input, filled((), -1 if kind.kind == "i" else (1 << 8 * kind.itemsize) - 1, kind))


def matmul(input: Any, other: Any) -> Any:
    """The product of matrices, of stacks of them, or with vectors."""
    record()
    if not isinstance(other, _Plain):
        raise TypeError(f"matmul(): argument 'other' must be Tensor, not {type(other).__name__}")
    kind = dtypes.of(_dtype(input))
    if kind != dtypes.of(_dtype(other)):
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {kind} != {dtypes.of(_dtype(other))}")
    if not _ndim(input) or not _ndim(other):
        raise RuntimeError("both arguments to matmul need to be at least 1D")
    inside = computed_in(kind)
    if not (_size(input) and _size(other)):
        return _empty_product(input, other, kind)
    return wrap(cast(kernel("matmul")(cast(input, inside), cast(other, inside)), kind))


def _empty_product(input: Any, other: Any, kind: Any) -> Any:
    """A product with no elements in one of its factors: MindSpore gives whatever is in memory."""
    markers = [np.empty(tuple(_shape(each)), np.int8) for each in (input, other)]
    try:
        shape = np.matmul(*markers).shape
    except ValueError as unfit:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({list(_shape(input))} and {list(_shape(other))})"
        ) from unfit
    return wrap(undecided(filled(shape, 0, kind), input, other))


def pow(input: Any, exponent: Any) -> Any:
    return pow_(input, exponent)


def square(input: Any) -> Any:
    return mul(input, input) if _dtype(input) != dtypes.bool_ else pow_(input, 2)


def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """The values, with those below one limit or above another replaced by it."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    result = input
    if min is not None:
        result = where(lt(result, min), min, result)  # at the limit itself the gradient passes, unlike that of maximum
    if max is not None:
        result = where(gt(result, max), max, result)
    return result


def lerp(input: Any, end: Any, weight: Any) -> Any:
    """The point between two, by a weight; the nearer one is where the calculation begins."""
    if isinstance(weight, _Plain) or abs(weight) < 0.5:
        return add(input, mul(sub(end, input), weight))
    return sub(end, mul(sub(end, input), 1 - weight))


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return add(input, mul(mul(tensor1, value) if value != 1 else tensor1, tensor2))


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    return add(input, div(mul(tensor1, value) if value != 1 else tensor1, tensor2))


def where(condition: Any, input: Any, other: Any) -> Any:
    """The elements of one tensor where a condition holds, and of another where not."""
    record()
    result = result_type(input, other)
    inside = computed_in(result)
    return wrap(cast(kernel("where")(cast(condition, dtypes.bool_), _as(input, inside), _as(other, inside)), result))


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """The values, with those where the mask is true replaced by one."""
    kind = dtypes.of(_dtype(input))
    chosen = wrap(cast(value, kind)) if isinstance(value, _Plain) else wrap(filled((), value, kind))
    return where(mask, chosen, input)


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        value = operand(other)
        return NotImplemented if value is None else function(value, self)

    return operator


def _operator(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        if type(other) is Tensor or type(other) in NUMBERS or isinstance(other, _Plain):
            return function(self, other)
        value = operand(other)
        return NotImplemented if value is None else function(self, value)

    return operator


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": _add, "sub": _sub, "mul": mul, "truediv": true_divide, "floordiv": floor_divide, "mod": remainder,
    "pow": pow_, "and": bitwise_and, "or": bitwise_or, "xor": bitwise_xor, "matmul": matmul,
}  # fmt: skip
COMPARISONS = {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}

FUNCTIONS.update(
    add=add, sub=sub, subtract=sub, div=div, divide=div, multiply=mul, mul=mul, true_divide=true_divide, pow=pow,
    floor_divide=floor_divide, remainder=remainder, matmul=matmul, clamp=clamp, lerp=lerp, addcmul=addcmul,
    addcdiv=addcdiv, masked_fill=masked_fill, logical_not=logical_not, bitwise_not=bitwise_not, negative=neg,
    square=square, absolute=FUNCTIONS["abs"], clip=clamp,
)  # fmt: skip

for _name, _function in OPERATORS.items():
    attach(f"__{_name}__", _operator(_function))
    attach(f"__r{_name}__", _reflected(_function))
for _name, _function in COMPARISONS.items():
    attach(f"__{_name}__", _operator(_function))
attach("__neg__", neg)
attach("__abs__", FUNCTIONS["abs"])
attach("__invert__", bitwise_not)
attach("__pos__", lambda self: self)
attach("__hash__", lambda self: id(self))
for _name, _function in FUNCTIONS.items():
    attach(_name, _function)
attach("where", lambda self, condition, other: where(condition, self, other))

__all__ = ["COMPARISONS", "FUNCTIONS", "OPERATORS", "promote"]
