"""What rounding may do to a result. In: a case's run, as a function of a side. Out: whether two tensors that it
returned differ by rounding only.

The case is run with torch in float64 on the same numbers, and again with each number moved by half a unit in the last
place of the result's dtype. How far a result then moves is how much its summands matter: it is large where they
cancel, whatever size the result has, and nothing where a result only copies. Within a few such steps of the float64
result, and a few units of its own, an element is right; it is too where torch itself is not much nearer. Where torch's
sums overflow on the way to a number that float64 holds, it depends on their order whether inf, nan or that number comes
out, and so it does of numbers near the largest one; of such numbers in float64 itself nothing wider can tell. Where
torch gives inf in float64 and nan in the case's dtype, or the other way round, either is right. A number below the
smallest normal one may be zero: whether its digits are kept is a setting of the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from mapspore.verify.compare import DIGITS, ULP, Place, within
from mapspore.verify.outcome import Outcome, Seen
from mapspore.verify.sides import ReferenceSide

DRAWS = 4
LEAST = 4
"""Units in the last place of the largest element that rounding may always make: factors that a call works out by itself
are rounded too."""
LEAST_UNTOLD = 16
"""The same in float64 itself, where nothing wider tells how far off torch's own result is."""
OWN = 2
"""How many times as far off as torch itself an element may be: long sums of two orders do not err alike."""
SMALLEST = {"float64": -1022, "float32": -126, "float16": -14, "bfloat16": -126, "complex64": -126, "complex128": -1022}
"""The exponent of the smallest normal number: below it, units stay as they are."""
LARGEST = {"float64": 1023, "float32": 127, "float16": 15, "bfloat16": 127}
"""The exponent of the largest number."""


class Rounding:
    """What rounding may do to the results of one run of a case."""

    def __init__(self, run: Callable[[ReferenceSide], Outcome]) -> None:
        self._run = run
        self._known: dict[str, list[Outcome]] = {}

    @cached_property
    def _exact(self) -> tuple[Outcome, int, bool]:
        """The outcome in float64, how many numbers went in, and whether some were near the largest one."""
        side = ReferenceSide()
        with side.wide():
            return self._run(side), side.numbers, side.extreme

    def _moved(self, dtype: str) -> list[Outcome]:
        """The outcomes in float64 for numbers that are half a unit off."""
        if dtype not in self._known:
            sides = [ReferenceSide(2.0 ** -(DIGITS[dtype] + 1), draw) for draw in range(DRAWS)]
            with sides[0].wide():
                self._known[dtype] = [self._run(side) for side in sides]
        return self._known[dtype]

    def __call__(self, place: Place, wanted: Seen, got: Seen) -> bool:
        exact, numbers, _ = self._exact
        truth = _at(exact, place)
        if truth is None or truth.value.shape != wanted.value.shape:
            return within(wanted.value, got.value, wanted.dtype, ULP[wanted.dtype])
        finite = np.isfinite(wanted.value) & np.isfinite(truth.value)
        overflowed = ~np.isfinite(wanted.value) & (np.isfinite(truth.value) | self._narrow(wanted.dtype))
        fixed = ~finite & ~overflowed
        if not (_alike(wanted.value, got.value) | _alike(truth.value, got.value))[fixed].all():
            return False
        finite &= ~(_near_the_end(truth.value, wanted.dtype) & ~np.isfinite(got.value))
        nearest = _nearest(got.value, wanted.dtype)
        if not np.isfinite(nearest[finite]).all():
            return False
        judged = finite | (overflowed & np.isfinite(got.value) & np.isfinite(truth.value))
        reference = truth.value[judged]
        off = np.abs(nearest[judged] - reference)
        off[(nearest[judged] == 0) & (np.abs(reference) < 2.0 ** SMALLEST[wanted.dtype])] = 0  # flushed
        own = np.abs(wanted.value[finite] - truth.value[finite])
        units = _unit(np.abs(reference), wanted.dtype) + self._steps(place, truth, wanted.dtype, numbers)[judged]
        least = (LEAST_UNTOLD if wanted.dtype in ("float64", "complex128") else LEAST) * _unit(
            np.abs(truth.value[finite]).max(initial=0.0), wanted.dtype
        )
        allowed = np.maximum(ULP[wanted.dtype] * units, max(least, OWN * own.max(initial=0.0)))
        return bool((off <= allowed).all())

    def _narrow(self, dtype: str) -> bool:
        """Whether there is no wider dtype to tell what numbers near the largest one come to, where torch's sums of them
        overflow."""
        return dtype in ("float64", "complex128") and self._exact[2]

    def _steps(self, place: Place, truth: Seen, dtype: str, numbers: int) -> np.ndarray:
        """By element, how far the result moves; of many numbers that become one, some move it against each other."""
        moved = [found.value for each in self._moved(dtype) if (found := _at(each, place)) is not None]
        moves = [np.nan_to_num(np.abs(each - truth.value)) for each in moved if each.shape == truth.value.shape]
        many = max(1.0, numbers / max(1, truth.value.size))
        return np.max(moves, axis=0) * np.sqrt(many) if moves else np.zeros(truth.value.shape)


def _at(outcome: Outcome, place: Place) -> Seen | None:
    """The tensor at a place of what a call left."""
    seen = outcome.seen
    for step in place:
        if isinstance(step, str):
            seen = outcome.tensors.get(step)
            continue
        if seen is None or step >= len(seen.items):
            return None
        seen = seen.items[step]
    return seen if seen is not None and seen.type == "tensor" else None


def _alike(one: Any, other: Any) -> Any:
    """By element, whether two arrays hold the same, nan being nan."""
    return (one == other) | ((one != one) & (other != other))


def _near_the_end(array: np.ndarray, dtype: str) -> Any:
    """By element, whether a number is so near the largest one that a sum may overflow on its way there, in one order
    and not in another."""
    return np.abs(array) >= 2.0 ** (LARGEST[dtype] - 2) if dtype in LARGEST else np.zeros(array.shape, bool)


def _nearest(array: np.ndarray, dtype: str) -> Any:
    """An array in which inf is the number that comes after the largest one: what is rounded to it may be as near."""
    if array.dtype.kind == "c":
        return array
    beyond = 2.0 ** (LARGEST[dtype] + 1) if dtype != "float64" else np.inf
    return np.clip(array.astype(np.float64), -beyond, beyond)


def _unit(sizes: Any, dtype: str) -> Any:
    """The unit in the last place of numbers of these sizes."""
    exponents = np.floor(np.log2(np.maximum(sizes, 2.0 ** SMALLEST[dtype])))
    return np.asarray(2.0 ** (exponents - DIGITS[dtype]))
