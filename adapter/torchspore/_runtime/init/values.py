"""The formulas of initial weights. In: the layout of a tensor, the parameters of a formula and a generator. Out: an
array of the values; those of bfloat16 as float32 that it holds.
"""

from __future__ import annotations

import math
import warnings

import numpy as np

from ..core.arrays import BFLOAT16, Layout
from ..random.draws import normal, uniform
from ..random.engine import Array
from ..random.generator import Generator, default_generator
from ..random.integers import permutation
from ..random.rounding import rounded

_GAINS = {"sigmoid": 1, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_LINEAR = ("linear", *(f"conv{more}{size}d" for more in ("", "_transpose") for size in (1, 2, 3)))


def gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance behind a function."""
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity in _GAINS:
        return _GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    if param is None:
        param = 0.01
    if isinstance(param, bool) or not isinstance(param, int | float):
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + param**2))


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many numbers go into an output of a layer with such a weight, and how many outputs an input goes into."""
    if len(shape) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def fan(shape: tuple[int, ...], mode: str) -> int:
    """One of both, by name."""
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode.lower()} not supported, please use one of {modes}")
    return fans(shape)[modes.index(mode.lower())]


def identity(layout: Layout) -> Array:
    """Ones on the diagonal of a matrix."""
    if len(layout.shape) != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return np.eye(*layout.shape, dtype=_carrier(layout.dtype))


def dirac(layout: Layout, groups: int) -> Array:
    """Kernels that hand each channel on as it is, as far as there are as many, per group."""
    shape = layout.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    values = np.zeros(shape, _carrier(layout.dtype))
    per_group = shape[0] // groups
    middle = tuple(length // 2 for length in shape[2:])
    for group in range(groups):
        for channel in range(min(per_group, shape[1])):
            values[(group * per_group + channel, channel, *middle)] = 1
    return values


def truncated_normal(layout: Layout, mean: float, std: float, low: float, high: float, generator: Generator) -> Array:
    """Normal numbers between two limits. Those outside are drawn anew; where most would be outside, uniform numbers
    are taken with the probability that the normal curve gives them."""
    if mean < low - 2 * std or mean > high + 2 * std:
        warnings.warn(
            "trunc_normal_: mean is more than 2 std from [a, b]. The distribution of values may be incorrect.",
            stacklevel=4,
        )
    if _below((high - mean) / std) - _below((low - mean) / std) > 0.3:
        return _redrawn(layout, mean, std, low, high, generator)
    return _accepted(layout, mean, std, low, high, generator)


def _redrawn(layout: Layout, mean: float, std: float, low: float, high: float, generator: Generator) -> Array:
    shape, dtype, strides = layout
    limits = rounded(np.array([low, high]), dtype)
    values = normal(generator, shape, dtype, mean, std, strides)
    while (outside := (values < limits[0]) | (values > limits[1])).any():
        values = np.where(outside, normal(generator, shape, dtype, mean, std, strides), values)
    return values


def _accepted(layout: Layout, mean: float, std: float, low: float, high: float, generator: Generator) -> Array:
    shape, dtype, strides = layout
    peak = -0.5 * ((max(low, min(mean, high)) - mean) / std) ** 2
    values = uniform(generator, shape, dtype, low, high, strides)
    candidates, pending = values, np.ones(shape, bool)
    while True:
        weights = _exponent(candidates, dtype, mean, std, peak)
        with np.errstate(divide="ignore"):
            chance = rounded(np.log(uniform(generator, shape, dtype, strides=strides)), dtype)
        pending = pending & (chance > weights)
        if not pending.any():
            return values
        candidates = uniform(generator, shape, dtype, low, high, strides)
        values = np.where(pending, candidates, values)


def _exponent(x: Array, dtype: str, mean: float, std: float, peak: float) -> Array:
    """The exponent of the normal curve above its largest one, rounded after every step."""
    wide = np.float64 if dtype == "float64" else np.float32
    middle, top = rounded(np.array([mean, peak]), dtype).astype(wide)
    scaled = rounded(rounded(x - middle, dtype).astype(wide) / wide(std), dtype)
    halved = rounded(rounded(scaled.astype(wide) * scaled, dtype).astype(wide) * wide(-0.5), dtype)
    return rounded(halved - top, dtype)


def orthogonal(layout: Layout, factor: float, generator: Generator) -> Array:
    """Rows or columns of length one at right angles, whichever are fewer."""
    shape, dtype, _ = layout
    if len(shape) < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if dtype in ("float16", BFLOAT16):
        raise RuntimeError(
            f"orthogonal_: a matrix of {dtype} has no factorization; fill one of float32 and convert it."
        )
    rows = shape[0]
    drawn = normal(generator, (rows, math.prod(shape[1:])), dtype)
    wide = drawn.shape[0] < drawn.shape[1]
    q, r = np.linalg.qr(drawn.T if wide else drawn)
    q = q * np.sign(np.diag(r))
    return ((q.T if wide else q).reshape(shape) * q.dtype.type(factor)).astype(dtype)


def sparse(layout: Layout, sparsity: float, std: float, generator: Generator) -> Array:
    """Normal numbers, with a share of zeros in each column, whose places the default generator chooses."""
    if len(layout.shape) != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    values = normal(generator, layout.shape, layout.dtype, 0, std, layout.strides)
    rows, columns = layout.shape
    for column in range(columns):
        values[permutation(default_generator, rows)[: math.ceil(sparsity * rows)], column] = 0
    return values


def _below(x: float) -> float:
    """The share of normal numbers below a limit."""
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def _carrier(dtype: str) -> str:
    return "float32" if dtype == BFLOAT16 else dtype
