"""Choices: yes or no, one of several, and counts. In: a generator, probabilities or rates, shapes and names of dtypes.
Out: arrays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .draws import exponential
from .engine import Array
from .generator import Generator
from .layout import drawn
from .rounding import DIGITS, rounded

MOST_CATEGORIES = 2**24


def bernoulli(
    generator: Generator,
    shape: Sequence[int],
    dtype: str = "float32",
    p: float = 0.5,
    strides: Sequence[int] | None = None,
) -> Array:
    """One where a trial of probability `p` succeeds, else zero."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")

    def draw(shape: tuple[int, ...]) -> Array:
        return (generator.engine.doubles(math.prod(shape)) < p).astype(_carrier(dtype)).reshape(shape)

    return drawn(shape, strides, draw)


def bernoulli_each(
    generator: Generator, probabilities: Array, dtype: str, shape: Sequence[int], strides: Sequence[int] | None = None
) -> Array:
    """One where a trial succeeds, each with a probability of its own; the dtype of these says how many bits decide."""
    if np.any(~((probabilities >= 0) & (probabilities <= 1))):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    double = probabilities.dtype == np.float64
    take = generator.engine.doubles if double else generator.engine.singles
    numbers = drawn(shape, strides, lambda shape: take(math.prod(shape)).reshape(shape))
    wide = probabilities if double else probabilities.astype(np.float32)
    return (numbers < np.broadcast_to(wide, tuple(shape))).astype(_carrier(dtype))


def dropout_noise(
    generator: Generator, shape: Sequence[int], dtype: str, p: float, strides: Sequence[int] | None = None
) -> Array:
    """What a layer with the probability `p` multiplies its input with: zero, or the scale that keeps the mean."""
    kept = bernoulli(generator, shape, dtype, 1 - p, strides)
    wide = np.float64 if dtype == "float64" else np.float32
    return rounded(kept.astype(wide) / wide(1 - p), dtype)


def multinomial(generator: Generator, weights: Array, samples: int, replacement: bool = False) -> Array:
    """Indices of categories, drawn by their weights; one row of them per row of weights."""
    if not 0 < weights.ndim <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind != "f":
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {weights.dtype}")
    if samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    categories = weights.shape[-1]
    if not replacement and samples > categories:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if categories > MOST_CATEGORIES:
        raise RuntimeError("number of categories cannot exceed 2^24")
    rows = weights.reshape(-1, categories)
    shape = (*weights.shape[:-1], samples)
    if not math.prod(shape):
        return np.empty(shape, np.int64)
    if not (np.isfinite(rows) & (rows >= 0)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not rows.sum(axis=1).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if replacement and samples > 1:
        chosen = np.stack([_with_replacement(generator, row, samples) for row in rows])
    else:
        chosen = _by_race(generator, rows, samples)
    return chosen.reshape(shape).astype(np.int64)


def _with_replacement(generator: Generator, row: Array, samples: int) -> Array:
    """Where numbers between 0 and 1 fall among the sums of the weights."""
    sums = np.cumsum(row.astype(np.float32) if row.dtype == np.float16 else row, dtype=None)
    sums = (sums / sums[-1]).astype(np.float64)
    sums[-1] = 1
    return np.searchsorted(sums, generator.engine.doubles(samples), side="left")


def _by_race(generator: Generator, rows: Array, samples: int) -> Array:
    """Every category runs for an exponential time; those with the greatest weight per time win. Several of equal speed,
    which half precision often has, come in their order; the original does not say in which."""
    times = exponential(generator, rows.shape, str(rows.dtype))
    with np.errstate(divide="ignore"):
        speed = rows / times
    if samples == 1:
        return np.argmax(speed, axis=1)[:, None]
    return np.argsort(-speed, axis=1, kind="stable")[:, :samples]


def poisson(generator: Generator, rates: Array) -> Array:
    """Counts with a rate each."""
    if (rates < 0).any():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    counts = np.fromiter((_count(generator, rate) for rate in rates.ravel().tolist()), np.float64, rates.size)
    return counts.astype(rates.dtype).reshape(rates.shape)


def _count(generator: Generator, rate: float) -> int:
    if rate >= 10:
        return _large_count(generator, rate)
    count, product, end = 0, 1.0, math.exp(-rate)
    while rate:
        product *= generator.engine.double()
        if product <= end:
            break
        count += 1
    return count


def _large_count(generator: Generator, rate: float) -> int:
    """Transformed rejection (Hörmann, 1993)."""
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    edge = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = generator.engine.double() - 0.5
        v = generator.engine.double()
        room = 0.5 - abs(u)
        count = math.floor((2 * a / room + b) * u + rate + 0.43) if room else -1
        if room >= 0.07 and v <= edge:
            return count
        if count < 0 or (room < 0.013 and v > room):
            continue
        weight = math.log(v) + math.log(inverse) - math.log(a / (room * room) + b) if v else -math.inf
        if weight <= -rate + count * math.log(rate) - math.lgamma(count + 1):
            return count


def _carrier(dtype: str) -> str:
    """The dtype of the array that holds zeros and ones of a dtype."""
    return "float32" if dtype in DIGITS and dtype not in ("float16", "float64") else dtype
