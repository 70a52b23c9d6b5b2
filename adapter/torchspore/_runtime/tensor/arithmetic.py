"""Operations with one or two operands, as functions and as operators: torch's choice of the dtype around MindSpore's
kernels. `binary` and `unary` make such a function of a kernel's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..autograd.modes import record
from ..core.framework import mindspore
from ..core.private import in_graph
from . import dtypes, memory
from .base import Tensor, attach
from .creating import wrap
from .kernels import cast, computed_in, filled, kernel
from .promotion import KIND, promote, result_type
from .steps import placed, undecided

_Plain = mindspore.Tensor
_dtype = mindspore.Tensor._dtype.__get__
_ndim = mindspore.Tensor.ndim.__get__
_shape = mindspore.Tensor.shape.__get__
_size = mindspore.Tensor.size.__get__

PLAIN = {id(_dtype(_Plain(0, each))) for each in (dtypes.float32, dtypes.float64)}
"""The dtypes that need no thought where both operands have them; dtypes are objects of which there is one each."""

NARROW = {id(_dtype(_Plain(0, dtypes.float32)))}
"""The dtypes that MindSpore may join with a number by itself: it rounds numbers to float32 first."""

NUMBERS = (int, float, complex)
IMPRECISE = (
    frozenset(["exp", "log", "log2", "log10", "log1p", "expm1", "tanh", "sigmoid", "erf", "erfc"])
    if memory.on_cpu()
    else frozenset()
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
        try:
            return calculated(input, other)
        except ValueError as unfit:
            raise _unfit(input, other) from unfit

    def calculated(input: Any, other: Any) -> Any:
        one = type(other)
        if plain and (type(input) is Tensor or isinstance(input, _Plain)) and id(kind := _dtype(input)) in PLAIN:
            if one is Tensor or isinstance(other, _Plain):
                if _dtype(other) is kind:
                    return wrap(compute(input, other))
            elif (one is float or one is int) and id(kind) in NARROW:
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


def _unfit(*operands: Any) -> Exception:
    """What is raised for tensors that cannot be repeated to one shape."""
    shapes = [tuple(_shape(each)) if isinstance(each, _Plain) else () for each in operands]
    for place in range(1, 1 + max(map(len, shapes))):
        sizes = [shape[-place] for shape in shapes if len(shape) >= place and shape[-place] != 1]
        if len(set(sizes)) > 1:
            return RuntimeError(
                f"The size of tensor a ({sizes[0]}) must match the size of tensor b ({sizes[-1]}) at non-singleton "
                f"dimension {max(map(len, shapes)) - place}"
            )
    return RuntimeError(f"tensors of the shapes {', '.join(map(str, shapes))} do not fit each other")


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
_quotient = binary("floor_divide", check=_whole_divisor, plain=False)
_rest = binary("remainder", check=_whole_divisor, plain=False)
_power = binary("pow", check=_whole_power, plain=False)
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
_round = FUNCTIONS["round"]
relu = unary("relu", refuses="bc")
for _name in ("isnan", "isinf", "isfinite"):
    unary(_name, gives_bool=True)


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The sum; the second operand counts `alpha` times."""
    return _add(input, other) if type(alpha) is int and alpha == 1 else _scaled(_add, input, other, alpha)


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The difference; the second operand counts `alpha` times."""
    return _sub(input, other) if type(alpha) is int and alpha == 1 else _scaled(_sub, input, other, alpha)


def _scaled(join: Callable[[Any, Any], Any], input: Any, other: Any, alpha: Any) -> Any:
    """A sum or difference with a multiple of the second operand, which may be too large by itself where the result is
    not: floats are joined in float64, those of float64 at a scale that leaves room."""
    result = result_type(input, other)
    if not memory.on_cpu() or result not in (dtypes.float32, dtypes.float64):
        return join(input, mul(_tensor(other), alpha))
    one, two = (wrap(_as(each, dtypes.float64)) for each in (input, other))
    multiple = mul(two, alpha)
    found = join(one, multiple)
    if result == dtypes.float64 and not bool(np.isfinite(memory.array(multiple)).all()):
        room = 2.0**-10
        small = mul(join(mul(one, room), mul(mul(two, room), alpha)), 1 / room)
        found = where(wrap(memory.from_array(np.isfinite(memory.array(multiple)))), found, small)
    return wrap(cast(found, result))


def floor_divide(input: Any, other: Any) -> Any:
    """The quotient rounded down, which no small change of the operands changes."""
    return _flat(_quotient(input, other), input, other)


def remainder(input: Any, other: Any) -> Any:
    """What division leaves, with the sign of the divisor."""
    rest = _rest(input, other)
    if not memory.on_cpu() or not any(isinstance(each, _Plain) and in_graph(each) for each in (input, other)):
        return rest
    return wrap(placed(_sub(input, mul(other, _quotient(input, other).detach())), rest))


def _flat(found: Any, *operands: Any) -> Any:
    """A result whose gradient is nought wherever there is one."""
    tensors = [each for each in operands if isinstance(each, _Plain)]
    return wrap(undecided(found, *tensors)) if memory.on_cpu() else found


def _held(tensor: Any, mask: Any) -> Any:
    """A tensor whose gradient is nought where a mask is true."""
    return where(mask, tensor.detach(), tensor)


def pow_(input: Any, exponent: Any) -> Any:
    """The power. Its gradient is that of its limits at exponents of 0 and bases of 0, where the formula has none."""
    graph = any(isinstance(each, _Plain) and in_graph(each) for each in (input, exponent))
    if graph and isinstance(exponent, _Plain):
        still = bitwise_and(eq(_tensor(input), 0), ge(exponent, 0))
        if isinstance(input, _Plain):
            input = _held(input, eq(exponent, 0))
        return _power(input, _held(exponent, still))
    if graph and not isinstance(exponent, _Plain) and exponent == 0:
        return _flat(_power(input.detach(), exponent), input)
    return _power(input, exponent)


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
    if any(isinstance(each, complex) or (isinstance(each, _Plain) and each.is_complex()) for each in (input, min, max)):
        raise NotImplementedError("clamp is not implemented for complex numbers, which have no order")
    result = input
    if min is not None:
        result = where(lt(result, min), min, result)  # at the limit itself the gradient passes
    if max is not None:
        result = where(gt(result, max), max, result)
    for each in (input, min, max):
        result = _unordered(result, each)
    return result


def _unordered(result: Any, operand: Any) -> Any:
    """What a limit or a value that is nan leaves: nan, without a gradient."""
    if not isinstance(operand, _Plain):
        return result if operand is None or operand == operand else mul(result.detach(), operand)
    if dtypes.of(_dtype(operand)).kind != "f" or not bool(np.isnan(memory.numpy_values(operand)).any()):
        return result
    return where(FUNCTIONS["isnan"](operand), operand.detach(), result)


def round_(input: Any, *, decimals: int = 0) -> Any:
    """The nearest whole number, or number with some decimals; of two that are as near, the even one."""
    if not decimals:
        return _round(input)
    kind = dtypes.of(_dtype(input))
    if kind.kind != "f":
        raise NotImplementedError(f"round with decimals is not implemented for {kind}")
    inside = dtypes.PRECISE.get(kind, kind)
    scale = 10.0 ** abs(decimals)
    wide = wrap(cast(input, inside))
    found = (
        true_divide(_round(mul(wide, scale)), scale) if decimals > 0 else mul(_round(true_divide(wide, scale)), scale)
    )
    return wrap(cast(found, kind))


def lerp(input: Any, end: Any, weight: Any) -> Any:
    """The point between two, by a weight; the nearer one is where the calculation begins."""
    kind = dtypes.of(_dtype(input))
    for name, each in (("end", end), ("weight", weight)):
        if isinstance(each, _Plain) and _dtype(each) != kind:
            raise RuntimeError(f"expected dtype {kind} for `{name}` but got dtype {dtypes.of(_dtype(each))}")
    if kind.kind in "bui":
        raise NotImplementedError(f"lerp is not implemented for {kind}")
    if dtypes.PRECISE.get(kind, kind) != kind:
        wide = [wrap(cast(each, dtypes.float32)) if isinstance(each, _Plain) else each for each in (input, end, weight)]
        return wrap(cast(lerp(*wide), kind))
    span = sub(end, input)
    if not isinstance(weight, _Plain):
        return add(input, mul(span, weight)) if abs(weight) < 0.5 else sub(end, mul(span, 1 - weight))
    near = lt(FUNCTIONS["abs"](weight), 0.5)
    return where(near, add(input, mul(span, weight)), sub(end, mul(span, _sub(1, weight))))


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """A tensor and a multiple of the product of two others."""
    result = result_type(input, tensor1, tensor2)
    _check_added("addcmul", result, value)
    return _added(input, lambda one, two, times: mul(mul(one, times), two), tensor1, tensor2, value, result)


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """A tensor and a multiple of the quotient of two others."""
    if all(dtypes.of(_dtype(each)).kind in "bui" for each in (tensor1, tensor2)):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported: give `tensor1` or `tensor2` as floats, or use "
            "torch.div with a rounding mode."
        )
    result = result_type(input, tensor1, tensor2)
    _check_added("addcdiv", result, value)
    return _added(input, lambda one, two, times: true_divide(mul(one, times), two), tensor1, tensor2, value, result)


def _check_added(name: str, result: Any, value: Any) -> None:
    if result == dtypes.bool_:
        raise NotImplementedError(f"{name} is not implemented for {result}")
    if result.kind != "c" and isinstance(value, complex):
        raise RuntimeError(f"{name}: a complex value cannot be converted to {result}")


def _added(input: Any, term: Callable[..., Any], tensor1: Any, tensor2: Any, value: Any, result: Any) -> Any:
    """A sum with a term, calculated in the dtype that all three have together; a value for whole numbers is whole."""
    times = int(value) if result.kind in "ui" else value
    inside = dtypes.PRECISE.get(result, result)
    one, two, start = (wrap(cast(each, inside)) for each in (tensor1, tensor2, input))
    return wrap(cast(_add(start, term(one, two, times)), result))


def where(condition: Any, input: Any, other: Any) -> Any:
    """The elements of one tensor where a condition holds, and of another where not."""
    record()
    result = result_type(input, other)
    inside = computed_in(result)
    try:
        found = kernel("where")(cast(condition, dtypes.bool_), _as(input, inside), _as(other, inside))
    except ValueError as unfit:
        raise _unfit(condition, input, other) from unfit
    return wrap(cast(found, result))


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
    floor_divide=floor_divide, remainder=remainder, arctan2=atan2, round=round_, matmul=matmul, clamp=clamp, lerp=lerp,
    addcmul=addcmul, addcdiv=addcdiv, masked_fill=masked_fill, logical_not=logical_not, bitwise_not=bitwise_not,
    negative=neg, square=square, absolute=FUNCTIONS["abs"], clip=clamp,
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
