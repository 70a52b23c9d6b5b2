"""Roundings that NumPy has no function for, and the C library's own functions. In: arrays. Out: arrays, rounded once,
as the processor rounds a fused multiplication and addition, and as bfloat16 keeps a number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.arrays import BFLOAT16
from .engine import Array

DIGITS = {"float16": 11, BFLOAT16: 8, "float32": 24, "float64": 53}
"""How many bits the numbers of a dtype have, the leading one included."""
LARGEST = {name: float(np.finfo(name).max) for name in DIGITS if name != BFLOAT16} | {BFLOAT16: 2.0**128 - 2.0**120}
"""The largest number of a dtype."""
_SPLIT = 2.0**27 + 1
_NORMAL_SINGLE = 2.0**-126


def rounded(values: Array, dtype: str) -> Array:
    """Values as a dtype keeps them; those of bfloat16 come as float32. Both kinds of half precision are reached through
    single precision, which rounds twice."""
    with np.errstate(over="ignore", invalid="ignore"):
        if dtype == "float16":
            return values.astype(np.float32).astype(np.float16)
        if dtype != BFLOAT16:
            return values.astype(dtype)
        bits = values.astype(np.float32).view(np.uint32)
    nearest = (bits + (np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1)))) & np.uint32(0xFFFF0000)
    kept = np.where(np.isnan(values), np.uint32(0x7FC00000), nearest)
    return np.asarray(kept, np.uint32).view(np.float32)


def fused(first: Array, second: Array, third: Array) -> Array:
    """`first * second + third`, rounded once. Both of float32 or both of float64."""
    if first.dtype == np.float32:
        return _fused_single(first.astype(np.float64) * np.float64(second), np.float64(third))  # exact: 48 bits
    high, low = _product(first, np.float64(second))
    middle, rest = _sum(low, np.float64(third))
    total, tail = _sum(high, middle)
    return total + _plus_odd(rest, tail)


def _fused_single(product: Array, third: Any) -> Array:
    """The sum of two doubles as a single. Rounding it twice is only wrong where a double lies halfway between two
    singles, or where singles have fewer bits."""
    total = product + third
    halfway = (total.view(np.int64) & (2**29 - 1)) == 2**28
    halfway |= np.abs(total) < _NORMAL_SINGLE
    if halfway.any():
        third = np.broadcast_to(third, total.shape)[halfway]
        total[halfway] = _plus_odd(product[halfway], third)
    return total.astype(np.float32)


def by_libm(function: Callable[[float], float], values: Array) -> Array:
    """A function of the C library, value by value. NumPy's own vector functions differ from it in the last bit."""
    flat = np.fromiter(map(function, values.ravel().tolist()), np.float64, values.size)
    return flat.reshape(values.shape)


def _plus_odd(first: Array, second: Any) -> Array:
    """The sum, with its last bit set where something was lost: what is rounded again is then rounded rightly."""
    total, error = _sum(first, second)
    bits = np.asarray(total).view(np.int64)
    lost = (error != 0) & (bits & 1 == 0)
    towards = np.where((error > 0) == (total > 0), np.int64(1), np.int64(-1))
    return np.asarray(np.where(lost, bits + towards, bits)).view(np.float64)


def _sum(first: Array, second: Any) -> tuple[Array, Array]:
    total = first + second
    part = total - first
    return total, (first - (total - part)) + (second - part)


def _product(first: Array, second: Any) -> tuple[Array, Array]:
    product = first * second
    (a, b), (c, d) = _halves(first), _halves(second)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(value: Array) -> tuple[Array, Array]:
    scaled = value * _SPLIT
    high = scaled - (scaled - value)
    return high, value - high
