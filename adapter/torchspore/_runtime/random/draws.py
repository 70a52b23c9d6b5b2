"""Continuous numbers: uniform, normal and what is computed from them. In: a generator, a shape, the name of a dtype and
the parameters; `strides` where the tensor does not lie in one piece. Out: arrays; those of bfloat16 as float32 that it
holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.arrays import BFLOAT16
from .engine import Array
from .generator import Generator
from .layout import drawn, is_contiguous
from .normal32 import log, sine_and_cosine
from .rounding import LARGEST, by_libm, fused, rounded

Strides = Sequence[int] | None
BLOCK = 16
"""Normal numbers are drawn in blocks of this many; fewer, or those of a tensor in pieces, in pairs."""
PIECE = 2**14
_PARTS = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}


def uniform(
    generator: Generator, shape: Sequence[int], dtype: str = "float32", low: float = 0.0, high: float = 1.0,
    strides: Strides = None,
) -> Array:  # fmt: skip
    """Numbers from `low` to below `high`."""
    if dtype in _PARTS:
        return _of_parts(uniform(generator, (*shape, 2), _PARTS[dtype], low, high, _strides_of_parts(strides)))
    _floating("uniform_", dtype)
    for name, limit in (("from", low), ("to", high)):
        if not -LARGEST[dtype] <= limit <= LARGEST[dtype]:
            raise RuntimeError(f"uniform_: {name} is {limit}, which is out of bounds for {dtype}.")
    if low > high:
        raise RuntimeError(f"uniform_ draws from [from, to), but from is {low} and to is {high}.")
    if high - low > LARGEST[dtype]:
        raise RuntimeError(f"uniform_: the distance from {low} to {high} is beyond the largest {dtype}.")
    wide = np.float64 if dtype == "float64" else np.float32

    def draw(shape: tuple[int, ...]) -> Array:
        engine, count = generator.engine, math.prod(shape)
        raw = engine.doubles(count) if wide is np.float64 else engine.singles(count)
        span = wide(wide(high) - wide(low))
        values = rounded(raw if (low, high) == (0, 1) else fused(raw, span, wide(low)), dtype)
        last, first = rounded(np.array([high, low]), dtype)
        return np.where(values == last, first, values).astype(values.dtype).reshape(shape)

    return drawn(shape, strides, draw)


def normal(
    generator: Generator, shape: Sequence[int], dtype: str = "float32", mean: float = 0.0, std: float = 1.0,
    strides: Strides = None,
) -> Array:  # fmt: skip
    """Normal numbers around `mean` with the deviation `std`."""
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    if dtype in _PARTS:
        parts = normal(
            generator, (*shape, 2), _PARTS[dtype], mean, std / math.sqrt(2), _strides_of_parts(strides)
        )  # fmt: skip
        return _of_parts(parts)
    _floating("normal_", dtype)
    in_blocks = math.prod(shape) >= BLOCK and (strides is None or is_contiguous(shape, strides))

    def draw(shape: tuple[int, ...]) -> Array:
        count = math.prod(shape)
        values = _blocks(generator, count, dtype, mean, std) if in_blocks else _pairs(generator, count, mean, std)
        return rounded(values, dtype).reshape(shape)

    return drawn(shape, strides, draw)


def normal_around(
    generator: Generator, mean: Array | float, std: Array | float, dtype: str = "float32", shape: Sequence[int] = ()
) -> Array:
    """Normal numbers, each with a mean or a deviation of its own: at least one of the two is an array."""
    shape = np.broadcast_shapes(np.shape(mean), np.shape(std), tuple(shape))
    if np.ndim(std) == 0 and not isinstance(std, np.ndarray):
        values = normal(generator, shape, dtype, 0.0, float(std))
    else:
        if np.any(np.less(std, 0)):
            raise RuntimeError("normal expects all elements of std >= 0.0")
        values = rounded(normal(generator, shape, dtype) * std, dtype)
    return rounded(values + rounded(np.asarray(mean), dtype), dtype)


def exponential(
    generator: Generator, shape: Sequence[int], dtype: str = "float32", rate: float = 1.0, strides: Strides = None
) -> Array:
    """Exponential numbers with a rate."""
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate}")
    _floating("exponential_", dtype)
    return _from_doubles(generator, shape, dtype, strides, lambda u: -1.0 / rate * by_libm(math.log1p, -u))


def cauchy(
    generator: Generator, shape: Sequence[int], dtype: str = "float32", median: float = 0.0, sigma: float = 1.0,
    strides: Strides = None,
) -> Array:  # fmt: skip
    """Numbers of the Cauchy distribution."""
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    _floating("cauchy_", dtype)

    def values(u: Array) -> Array:
        tangent = by_libm(math.tan, math.pi * (u - 0.5))
        return fused(tangent, np.float64(sigma), np.float64(median))

    return _from_doubles(generator, shape, dtype, strides, values)


def log_normal(
    generator: Generator, shape: Sequence[int], dtype: str = "float32", mean: float = 1.0, std: float = 2.0,
    strides: Strides = None,
) -> Array:  # fmt: skip
    """Numbers whose logarithm is normal."""
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std}")
    _floating("log_normal_", dtype)

    def draw(shape: tuple[int, ...]) -> Array:
        values = by_libm(_exp, _pairs(generator, math.prod(shape), mean, std))
        return rounded(values, dtype).reshape(shape)

    return drawn(shape, strides, draw)


def geometric(
    generator: Generator, shape: Sequence[int], dtype: str = "float32", p: float = 0.5, strides: Strides = None
) -> Array:
    """How many trials a success of probability `p` takes."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    return _from_doubles(
        generator, shape, dtype, strides, lambda u: np.ceil(by_libm(_log, u) / math.log1p(-p))
    )  # fmt: skip


def _from_doubles(generator: Generator, shape: Sequence[int], dtype: str, strides: Strides, values: Any) -> Array:
    """One double per element, and what a function makes of it."""
    return drawn(
        shape, strides, lambda shape: rounded(values(generator.engine.doubles(math.prod(shape))), dtype).reshape(shape)
    )  # fmt: skip


def _pairs(generator: Generator, count: int, mean: float, std: float) -> Array:
    """Normal doubles by twos; the second of the last two stays with the generator if it is not wanted now."""
    values = np.empty(count)
    start = 0
    if count and generator.normal is not None:
        values[0], generator.normal, start = generator.normal, None, 1
    uniforms = generator.engine.doubles((count - start + 1) // 2 * 2)
    angles = 2.0 * math.pi * uniforms[0::2]
    radius = np.sqrt(-2.0 * by_libm(math.log1p, -uniforms[1::2]))
    both = np.stack([radius * by_libm(math.cos, angles), radius * by_libm(math.sin, angles)], axis=-1).ravel()
    values[start:] = both[: count - start]
    if both.size > count - start:
        generator.normal = float(both[-1])
    return fused(values, np.float64(std), np.float64(mean))


def _blocks(generator: Generator, count: int, dtype: str, mean: float, std: float) -> Array:
    """Normal numbers in blocks: the first half of a block gives the distances, the second the angles. If the last
    block is not full, the last sixteen numbers are drawn anew. Half precision draws no words for the part that is."""
    double = dtype == "float64"
    take = generator.engine.doubles if double else generator.engine.singles
    whole, rest = count - count % BLOCK, count % BLOCK
    values = np.empty(count, np.float64 if double else np.float32)
    drawn_first = take(count if dtype in ("float32", "float64") else whole)
    values[:whole] = _box_muller(drawn_first[:whole], mean, std)
    if rest:
        values[count - BLOCK :] = _box_muller(take(BLOCK), mean, std)
    return values


def _box_muller(uniforms: Array, mean: float, std: float) -> Array:
    """Normal numbers of uniform ones, a piece at a time that stays in the processor's memory."""
    pieces = [uniforms[start : start + PIECE] for start in range(0, uniforms.size, PIECE)]
    return np.concatenate([_box_muller_piece(piece, mean, std) for piece in pieces])


def _box_muller_piece(uniforms: Array, mean: float, std: float) -> Array:
    blocks = uniforms.reshape(-1, 2, BLOCK // 2)
    kind = uniforms.dtype.type
    inner, turns = kind(1) - blocks[:, 0], blocks[:, 1]
    if kind is np.float64:
        radius = np.sqrt(-2 * by_libm(math.log, inner))
        angles = 2 * math.pi * turns
        sine, cosine = by_libm(math.sin, angles), by_libm(math.cos, angles)
    else:
        radius = np.sqrt(kind(-2) * log(inner))
        sine, cosine = sine_and_cosine(kind(2 * math.pi) * turns)
    return fused(np.stack([radius * cosine, radius * sine], axis=1), kind(std), kind(mean)).ravel()


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _log(value: float) -> float:
    return math.log(value) if value else -math.inf


def _floating(call: str, dtype: str) -> None:
    if dtype not in (*LARGEST, BFLOAT16):
        raise NotImplementedError(f'"{call}" draws floating-point numbers, and the dtype is {dtype}.')


def _of_parts(parts: Array) -> Array:
    """Complex numbers from pairs of real ones."""
    wide = parts.astype(np.float32) if parts.dtype == np.float16 else parts
    return np.ascontiguousarray(wide).view(np.complex64 if wide.dtype == np.float32 else np.complex128)[..., 0]


def _strides_of_parts(strides: Strides) -> Strides:
    return None if strides is None else [*(2 * stride for stride in strides), 1]
