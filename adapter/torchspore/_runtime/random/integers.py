"""Whole numbers and permutations. In: a generator, a shape, the name of a dtype and a range. Out: arrays; those of
bfloat16 as float32 that it holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..core.arrays import BFLOAT16
from .engine import Array
from .generator import Generator
from .layout import drawn
from .rounding import DIGITS, LARGEST, rounded

LONG_RANGE = 2**28
"""From this many numbers on, each is drawn with 64 bits."""
LONG_ORDER = (2**32 - 1) // 20
"""From this many elements on, a permutation is drawn with 64 bits per place."""
_LOWEST = -(2**63)


def integers(
    generator: Generator,
    shape: Sequence[int],
    dtype: str = "int64",
    low: int = 0,
    high: int | None = None,
    strides: Sequence[int] | None = None,
) -> Array:
    """Whole numbers from `low` to below `high`; without `high`, to the largest that the dtype holds without gaps."""
    if high is None and low == _LOWEST:
        if math.prod(shape) and dtype not in ("int64", "float64", "float32", BFLOAT16):
            raise NotImplementedError(f"random_: {dtype} does not hold numbers of 64 bits.")
        return drawn(shape, strides, lambda shape: _kept(_words(generator, shape, 2**64).view(np.int64), dtype))
    if high is not None and not low < high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype in DIGITS:
        low = _raised(low, dtype)
        high = 2 ** DIGITS[dtype] + 1 if high is None else _lowered(high, dtype)
        if not low < high:
            raise RuntimeError(f"random_: as numbers of {dtype}, from={low} is not less than to={high}.")
    lowest, largest = _bounds(dtype)
    last = largest if high is None else high - 1
    for name, value in (("from", low), ("to - 1", last)):
        if not lowest <= value <= largest:
            raise RuntimeError(f"{name} is out of bounds for {dtype}")
    span = last - low + 1

    def draw(shape: tuple[int, ...]) -> Array:
        words = _words(generator, shape, span)
        values = words if span == 2**64 else words % np.uint64(span)
        with np.errstate(over="ignore"):  # the sum wraps around
            return _kept((values + np.uint64(low % 2**64)).view(np.int64), dtype)

    return drawn(shape, strides, draw)


def all_integers(
    generator: Generator, shape: Sequence[int], dtype: str = "int64", strides: Sequence[int] | None = None
) -> Array:
    """Whole numbers from 0 to the largest that the dtype holds without gaps."""
    bits = DIGITS.get(dtype)
    span = 2**bits + 1 if bits else 2 if dtype == "bool" else int(np.iinfo(dtype).max) + 1
    long = dtype in ("int64", "float64")

    def draw(shape: tuple[int, ...]) -> Array:
        words = _words(generator, shape, 2**64 if long else 1)
        return _kept((words % np.uint64(span)).view(np.int64), dtype)

    return drawn(shape, strides, draw)


def permutation(generator: Generator, count: int, dtype: str = "int64") -> Array:
    """The numbers below `count` in some order."""
    if count < 0:
        raise RuntimeError(f"n must be non-negative, got {count}")
    if dtype != BFLOAT16 and count > (2 ** DIGITS[dtype] if dtype in DIGITS else int(np.iinfo(dtype).max)):
        raise RuntimeError(f"n is too large for result tensor type: {count} numbers of {dtype}.")
    exchange = _exchanged if count < LONG_ORDER else _grown
    return _kept(np.array(exchange(generator, count), np.int64), dtype)


def _exchanged(generator: Generator, count: int) -> list[int]:
    """Exchanges from the front, each with a place drawn from the rest."""
    places = np.arange(max(count - 1, 0), dtype=np.uint64)
    others = places + generator.engine.words(places.size) % (np.uint64(count) - places)
    order = list(range(count))
    for place, other in enumerate(others.tolist()):
        order[place], order[other] = order[other], order[place]
    return order


def _grown(generator: Generator, count: int) -> list[int]:
    """Each number takes a drawn place among those before it and its own; who stood there moves to the end."""
    places = generator.engine.pairs(count) % np.arange(1, count + 1, dtype=np.uint64)
    order: list[int] = []
    for number, place in enumerate(places.tolist()):
        order.append(number)
        order[number], order[place] = order[place], number
    return order


def _words(generator: Generator, shape: Sequence[int], span: int) -> Array:
    count = math.prod(shape)
    words = generator.engine.words(count) if span < LONG_RANGE else generator.engine.pairs(count)
    return words.reshape(shape)


def _kept(values: Array, dtype: str) -> Array:
    return rounded(values, dtype) if dtype in DIGITS else values.astype(dtype)


def _bounds(dtype: str) -> tuple[int, int]:
    if dtype in DIGITS:
        return -int(LARGEST[dtype]), int(LARGEST[dtype])
    if dtype == "bool":
        return 0, 1
    limits = np.iinfo(dtype)
    return int(limits.min), min(int(limits.max), 2**63 - 1)


def _raised(low: int, dtype: str) -> int:
    """The lower end, moved up where the number after it would be rounded below it."""
    after = _through(low + 1, dtype)
    return after + (1 << _power(low + 1) - DIGITS[dtype] + 1) if after < low else low


def _lowered(high: int, dtype: str) -> int:
    """The upper end, moved down where the number before it would be rounded up to it."""
    before = _through(high - 1, dtype)
    return before - (1 << _power(high - 1) - DIGITS[dtype] + 1) if before >= high else high


def _through(value: int, dtype: str) -> int:
    number = float(rounded(np.array([value], np.int64), dtype)[0])
    return int(number) if -(2.0**63) <= number < 2.0**63 else _LOWEST


def _power(value: int) -> int:
    return abs(value).bit_length() - 1
