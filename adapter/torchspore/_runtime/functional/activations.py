"""Functions that act on each element, and those that gate. In: a tensor and the parameters of a curve. Out: a tensor
of the same dtype. Each curve is two formulas: its values and its slope.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..core.private import in_graph, is_enabled
from ..random.generator import default_generator
from ..tensor import arithmetic, dtypes
from ..tensor.arithmetic import FUNCTIONS
from ..tensor.size import wrapped
from ..tensor.writing import snapshot, writable, write
from .computing import RESULT, computed, fractions, is_tensor, keeps, kind_of, on_ascend, tensor_argument, values

ROOT_HALF = 0.7071067811865476
ROOT_TWO_OVER_PI = 0.7978845608028654
CURL = 0.044715
SELU_ALPHA = 1.6732632423543772848170429916717
SIXTH = np.float32(1) / np.float32(6)
"""A sixth as torch has it in the gradient of every dtype."""
SELU_SCALE = 1.0507009873554804934193349852946


def curve(value: Callable[..., Any], slope: Callable[..., Any]) -> Callable[..., Any]:
    """A rule for a function of each element: its values, and its slope from the input."""

    def rule(x: Any, *settings: Any) -> Any:
        return value(x, *settings), lambda g: (g * slope(x, *settings),)

    return rule


def masked(value: Callable[..., Any], passes: Callable[..., Any]) -> Callable[..., Any]:
    """A rule for a function whose slope is one where something holds, and nought elsewhere."""

    @keeps()
    def rule(x: Any, *settings: Any) -> Any:
        mask = passes(x, *settings)
        return value(x, *settings), lambda g: (g * mask,)

    return rule


def written(input: Any, function: Callable[[Any], Any]) -> Any:
    """Write what a function computes into its input."""
    writable(input)
    return write(input, function(snapshot(input)))


def _applied(rule: Any, input: Any, inplace: bool, *settings: Any) -> Any:
    if inplace:
        return written(input, lambda tensor: computed(rule, (tensor,), *settings))
    return computed(rule, (input,), *settings)


def sigmoid_of(x: Any) -> Any:
    """The logistic function of an array."""
    return 1 / (1 + np.exp(-x))


@cache
def _erf() -> Any:
    return importlib.import_module("scipy.special").erf  # MindSpore itself needs SciPy


def _whole_relu(x: Any) -> Any:
    return np.maximum(x, x.dtype.type(0))


_relu = masked(_whole_relu, lambda x: ~(x <= 0))


def relu(input: Any, inplace: bool = False) -> Any:
    """The positive part."""
    tensor_argument("relu", "input", input)
    if kind_of(input).kind == "c":
        raise NotImplementedError("clamp is not supported for complex types")
    if kind_of(input).kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    if inplace and kind_of(input).kind == "f" and is_enabled() and in_graph(input):
        writable(input)
        return write(input, computed(_relu, (input,)))  # the rule keeps nothing of what is overwritten
    return _applied(_relu, input, inplace)


def relu_(input: Any) -> Any:
    return relu(input, True)


def _gelu(x: Any) -> Any:
    share = 0.5 * (1 + _erf()(x * ROOT_HALF))
    return x * share, lambda g: (g * (share + x * (np.exp(-0.5 * x * x) * 0.3989422804014327)),)


def _gelu_tanh(x: Any) -> Any:
    bent = np.tanh(ROOT_TWO_OVER_PI * (x + CURL * x * x * x))

    def back(g: Any) -> Any:
        inner = ROOT_TWO_OVER_PI * (1 + 3 * CURL * x * x)
        return (g * (0.5 * (1 + bent) + 0.5 * x * (1 - bent * bent) * inner),)

    return 0.5 * x * (1 + bent), back


@on_ascend
def gelu(input: Any, *, approximate: str = "none") -> Any:
    """The element times the share of normal numbers below it, exactly or by tanh."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    fractions("gelu", input)
    return computed(_gelu if approximate == "none" else _gelu_tanh, (input,))


def _silu(x: Any) -> Any:
    share = sigmoid_of(x)
    return x * share, lambda g: (g * np.conj(share * (1 + x * (1 - share))),)


def silu(input: Any, inplace: bool = False) -> Any:
    """The element times its sigmoid."""
    if not is_tensor(input) or kind_of(input).kind != "c":
        fractions("silu", input)
    return _applied(_silu, input, inplace)


@keeps(RESULT)  # which torch needs, and refuses to have written to
def _sigmoid(x: Any) -> Any:
    small = np.exp(-np.abs(x))  # of which the slope keeps all its digits near both ends
    return np.where(x >= 0, 1, small) / (1 + small), lambda g: (g * (small / ((1 + small) * (1 + small))),)


@keeps(RESULT)
def _tanh(x: Any) -> Any:
    small = np.exp(-2 * np.abs(x))
    return np.tanh(x), lambda g: (g * (4 * small / ((1 + small) * (1 + small))),)


def _to_fractions(name: str, rule: Any, input: Any) -> Any:
    tensor_argument(name, "input", input)
    kind = kind_of(input).kind
    if kind == "c":
        return FUNCTIONS[name](input)
    return computed(rule, (input if kind == "f" else input.to(dtypes.default()),))


def sigmoid(input: Any) -> Any:
    """The logistic function."""
    return _to_fractions("sigmoid", _sigmoid, input)


def tanh(input: Any) -> Any:
    """The hyperbolic tangent."""
    return _to_fractions("tanh", _tanh, input)


def _mish(x: Any) -> Any:
    bent = np.tanh(np.logaddexp(0, x, dtype=x.dtype))
    return x * bent, lambda g: (g * (bent + x * sigmoid_of(x) * (1 - bent * bent)),)


def mish(input: Any, inplace: bool = False) -> Any:
    """The element times the hyperbolic tangent of its softplus."""
    fractions("mish", input)
    return _applied(_mish, input, inplace)


def _softplus(x: Any, beta: float, threshold: float) -> Any:
    scaled = x * beta
    straight = scaled > threshold
    y = np.where(straight, x, np.log1p(np.exp(scaled)) / beta)
    return y, lambda g: (np.where(straight, g, g * sigmoid_of(scaled)),)


def softplus(input: Any, beta: float = 1, threshold: float = 20) -> Any:
    """A smooth positive part, straight above a threshold."""
    fractions("softplus", input)
    return computed(_softplus, (input,), beta, threshold)


def _logsigmoid(x: Any) -> Any:
    small = np.exp(-np.abs(x))
    y = np.minimum(x, 0) - np.log1p(small)
    return y, lambda g: (g * np.where(x < 0, 1 / (1 + small), small / (1 + small)),)


def logsigmoid(input: Any) -> Any:
    """The logarithm of the sigmoid."""
    fractions("log_sigmoid", input)
    return computed(_logsigmoid, (input,))


def _elu(x: Any, alpha: float, scale: float, inner: float) -> Any:
    above = ~(x <= 0)
    bent = np.expm1(x * inner) * (alpha * scale)
    y = np.where(above, x * scale, bent)
    return y, lambda g: (g * np.where(above, scale, (bent + alpha * scale) * inner),)


_elu = keeps()(_elu)


def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """The element, or below nought an exponential that ends at -alpha."""
    fractions("elu", input)
    return _applied(_elu, input, inplace, alpha, 1.0, 1.0)


def elu_(input: Any, alpha: float = 1.0) -> Any:
    return elu(input, alpha, True)


def selu(input: Any, inplace: bool = False) -> Any:
    """The scaled exponential unit, with its fixed numbers."""
    fractions("elu", input)
    return _applied(_elu, input, inplace, SELU_ALPHA, SELU_SCALE, 1.0)


def selu_(input: Any) -> Any:
    return selu(input, True)


def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """The exponential unit whose slope is continuous for every alpha."""
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    fractions("elu", input)
    return _applied(_elu, input, inplace, alpha, 1.0, 1.0 / alpha)


def celu_(input: Any, alpha: float = 1.0) -> Any:
    return celu(input, alpha, True)


@keeps()
def _leaky_relu(x: Any, slope: float) -> Any:
    above = x > 0
    return np.where(above, x, x * slope), lambda g: (np.where(above, g, g * slope),)


def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """The element, below nought times a slope."""
    fractions("leaky_relu", input)
    return _applied(_leaky_relu, input, inplace, negative_slope)


def leaky_relu_(input: Any, negative_slope: float = 0.01) -> Any:
    return leaky_relu(input, negative_slope, True)


def _prelu(x: Any, weight: Any) -> Any:
    shape = (1, weight.size, *(1,) * (x.ndim - 2)) if x.ndim > 1 else (weight.size,) if x.ndim else ()
    slopes, above = weight.reshape(shape), x > 0

    def back(g: Any) -> Any:
        def of_weight() -> Any:
            found = np.where(above, 0, g * x)
            axes = tuple(place for place in range(x.ndim) if not (place == 1 and weight.size > 1))
            return found.sum(axes if x.ndim > 1 or weight.size == 1 else None).reshape(weight.shape)

        return np.where(above, g, g * slopes), of_weight

    return np.where(above, x, x * slopes), back


def prelu(input: Any, weight: Any) -> Any:
    """The element, below nought times a learnt slope, of which each channel may have one."""
    fractions("prelu", input, weight)
    if kind_of(input) != kind_of(weight):
        raise RuntimeError(f"prelu: Type promoting not supported. Got {kind_of(input)} and {kind_of(weight)}")
    if weight.numel() != 1:
        channels = input.shape[1] if input.ndim > 1 else 1
        if not input.ndim:
            raise RuntimeError("Not allow zero-dim input tensor.")
        if channels != weight.numel():
            raise RuntimeError(
                f"Mismatch of parameter numbers and input channel size. Found parameter numbers = {weight.numel()} and "
                f"channel size = {channels}."
            )
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    return computed(_prelu, (input, weight))


@keeps()
def _rrelu(x: Any, noise: Any) -> Any:
    return x * noise, lambda g: (g * noise,)


def rrelu(
    input: Any, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Any:
    """The element, below nought times a slope that is drawn while training."""
    fractions("rrelu", input)
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training or lower == upper:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    x = values(input)
    noise = np.ones(x.shape, x.dtype)
    below = x <= 0
    noise[below] = default_generator.engine.doubles(int(below.sum())) * (upper - lower) + lower
    return _applied(_rrelu, input, inplace, noise)


def rrelu_(input: Any, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Any:
    return rrelu(input, lower, upper, training, True)


_hardtanh = masked(lambda x, low, high: np.clip(x, low, high), lambda x, low, high: (x > low) & (x < high))


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    """The values between two limits."""
    tensor_argument("hardtanh", "input", input)
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if kind_of(input).kind in "bc":
        raise NotImplementedError("Bool inputs not supported for hardtanh")
    if kind_of(input).kind in "ui":
        if kind_of(input).kind == "u" and (int(min_val) < 0 or int(max_val) < 0):
            raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
        if inplace:
            return written(input, lambda tensor: arithmetic.clamp(tensor, int(min_val), int(max_val)))
        return arithmetic.clamp(input, int(min_val), int(max_val))
    return _applied(_hardtanh, input, inplace, min_val, max_val)


def hardtanh_(input: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    return hardtanh(input, min_val, max_val, True)


def relu6(input: Any, inplace: bool = False) -> Any:
    """The values between nought and six."""
    return hardtanh(input, 0, 6, inplace)


@keeps()
def _hardsigmoid(x: Any) -> Any:
    inside = (x > -3) & (x < 3)
    return np.clip(x + 3, 0, 6) / 6, lambda g: (g * inside * g.dtype.type(SIXTH),)


def hardsigmoid(input: Any, inplace: bool = False) -> Any:
    """A sigmoid of three straight lines."""
    fractions("hardsigmoid", input)
    return _applied(_hardsigmoid, input, inplace)


_hardswish = curve(
    lambda x: x * np.clip(x + 3, 0, 6) / 6, lambda x: np.where(x <= -3, 0, np.where(x < 3, x / 3 + 0.5, 1))
)


def hardswish(input: Any, inplace: bool = False) -> Any:
    """The element times its hard sigmoid."""
    fractions("hardswish", input)
    return _applied(_hardswish, input, inplace)


_threshold = masked(
    lambda x, limit, value: np.where(x <= limit, x.dtype.type(value), x), lambda x, limit, value: ~(x <= limit)
)


def _held(value: float, kind: Any) -> int:
    """A number as whole numbers of a dtype hold it; negative whole ones wrap around in a dtype without sign."""
    ends = np.iinfo(kind.name)
    least = -ends.max if kind.kind == "u" and isinstance(value, int) else ends.min
    if not least <= value <= ends.max:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return int(value) % (ends.max + 1) if kind.kind == "u" else int(value)


def threshold(input: Any, threshold: float, value: float, inplace: bool = False) -> Any:
    """The elements above a limit, and one value for the others."""
    tensor_argument("threshold", "input", input)
    if kind_of(input).kind in "bc":
        raise NotImplementedError(f"threshold is not implemented for {kind_of(input)}")
    if kind_of(input).kind in "ui":
        limit, instead = (_held(each, kind_of(input)) for each in (threshold, value))
        return _applied(_threshold, input, inplace, limit, instead)
    return _applied(_threshold, input, inplace, threshold, value)


def threshold_(input: Any, threshold: float, value: float) -> Any:
    return _thresholded(input, threshold, value, True)


_thresholded = threshold  # which a parameter hides

_softshrink = masked(
    lambda x, far: np.where(x > far, x - far, np.where(x < -far, x + far, x * 0)),
    lambda x, far: ~((x >= -far) & (x <= far)),
)
_hardshrink = masked(
    lambda x, far: np.where((x >= -far) & (x <= far), 0, x), lambda x, far: ~((x >= -far) & (x <= far))
)


def softshrink(input: Any, lambd: float = 0.5) -> Any:
    """The values drawn towards nought by a distance."""
    fractions("softshrink", input)
    if not lambd >= 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    return computed(_softshrink, (input,), lambd)


def hardshrink(input: Any, lambd: float = 0.5) -> Any:
    """The values, with those near nought made nought."""
    fractions("hardshrink", input)
    return computed(_hardshrink, (input,), lambd)


_tanhshrink = curve(lambda x: x - np.tanh(x), lambda x: np.tanh(x) ** 2)


def tanhshrink(input: Any) -> Any:
    """The element without its hyperbolic tangent."""
    if is_tensor(input) and kind_of(input).kind in "uic":
        return input - tanh(input)
    fractions("tanhshrink", input)
    return computed(_tanhshrink, (input,))


_softsign = curve(lambda x: x / (1 + np.abs(x)), lambda x: 1 / (1 + np.abs(x)) ** 2)


def softsign(input: Any) -> Any:
    """The element over one more than its size."""
    tensor_argument("softsign", "input", input)
    if kind_of(input).kind != "f":
        return input / (abs(input) + 1)
    return computed(_softsign, (input,))


def _glu(x: Any, dim: int) -> Any:
    one, other = np.split(x, 2, dim)
    share = sigmoid_of(other)
    return one * share, lambda g: (np.concatenate([g * share, g * one * share * (1 - share)], dim),)


def glu(input: Any, dim: int = -1) -> Any:
    """One half of a dimension times the sigmoid of the other."""
    fractions("glu", input)
    if not input.ndim:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    place = wrapped(dim, input.ndim)
    if input.shape[place] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {place} is size {input.shape[place]}")
    return computed(_glu, (input,), place)
