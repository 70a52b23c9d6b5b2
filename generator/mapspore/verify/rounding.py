"""What rounding may do to a result. In: a case's run, as a function of a side. Out: whether two tensors that it
returned differ by rounding only.

The case is run with torch in float64 on the same numbers, and again with each number moved by half a unit in the last
place of the result's dtype. How far a result then moves is how much its summands matter: it is large where they
cancel, whatever size the result has, and nothing where a result only copies. Within a few such steps of the float64
result, and a few units of its own, an element is right; it is too where torch itself is no nearer. Where torch's sums
overflow on the way to a number that float64 holds, it depends on their order whether inf or nan comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from mapspore.verify.compare import DIGITS, ULP, within
from mapspore.verify.outcome import Outcome, Seen
from mapspore.verify.sides import ReferenceSide

DRAWS = 4
LEAST = 4
"""Units in the last place of the largest element that rounding may always make: factors that a call works out by itself
are rounded too."""
SMALLEST = {"float64": -1022, "float32": -126, "float16": -14, "bfloat16": -126, "complex64": -126, "complex128": -1022}
"""The exponent of the smallest normal number: below it, units stay as they are."""


class Rounding:
    """What rounding may do to the results of one run of a case."""

    def __init__(self, run: Callable[[ReferenceSide], Outcome]) -> None:
        self._run = run
        self._known: dict[str, list[Seen | None]] = {}

    @cached_property
    def _exact(self) -> tuple[Seen | None, int]:
        """The result in float64, and how many numbers went in."""
        side = ReferenceSide()
        return self._run(side).seen, side.numbers

    def _moved(self, dtype: str) -> list[Seen | None]:
        """The results in float64 for numbers that are half a unit off."""
        if dtype not in self._known:
            step = 2.0 ** -(DIGITS[dtype] + 1)
            self._known[dtype] = [self._run(ReferenceSide(step, draw)).seen for draw in range(DRAWS)]
        return self._known[dtype]

    def __call__(self, place: tuple[int, ...], wanted: Seen, got: Seen) -> bool:
        exact, numbers = self._exact
        truth = _at(exact, place)
        if truth is None or truth.value.shape != wanted.value.shape:
            return within(wanted.value, got.value, wanted.dtype, ULP[wanted.dtype])
        finite = np.isfinite(wanted.value) & np.isfinite(truth.value)
        overflowed = ~np.isfinite(wanted.value) & np.isfinite(truth.value)
        same = ~finite & ~overflowed
        if not np.array_equal(wanted.value[same], got.value[same], equal_nan=True):
            return False
        if np.isfinite(got.value[overflowed]).any():
            return False
        if not np.isfinite(got.value[finite]).all():
            return False
        reference = truth.value[finite]
        off, own = (np.abs(each.value[finite] - reference) for each in (got, wanted))
        units = _unit(np.abs(reference), wanted.dtype) + self._steps(place, truth, wanted.dtype, numbers)[finite]
        least = LEAST * _unit(np.abs(reference).max(initial=0.0), wanted.dtype)
        allowed = np.maximum(ULP[wanted.dtype] * units, max(least, own.max(initial=0.0)))
        return bool((off <= allowed).all())

    def _steps(self, place: tuple[int, ...], truth: Seen, dtype: str, numbers: int) -> np.ndarray:
        """By element, how far the result moves; of many numbers that become one, some move it against each other."""
        moved = [found.value for each in self._moved(dtype) if (found := _at(each, place)) is not None]
        moves = [np.nan_to_num(np.abs(each - truth.value)) for each in moved if each.shape == truth.value.shape]
        many = max(1.0, numbers / max(1, truth.value.size))
        return np.max(moves, axis=0) * np.sqrt(many) if moves else np.zeros(truth.value.shape)


def _at(seen: Seen | None, place: tuple[int, ...]) -> Seen | None:
    """The tensor at a place of what a call returned."""
    for step in place:
        if seen is None or step >= len(seen.items):
            return None
        seen = seen.items[step]
    return seen if seen is not None and seen.type == "tensor" else None


def _unit(sizes: Any, dtype: str) -> Any:
    """The unit in the last place of numbers of these sizes."""
    exponents = np.floor(np.log2(np.maximum(sizes, 2.0 ** SMALLEST[dtype])))
    return np.asarray(2.0 ** (exponents - DIGITS[dtype]))
