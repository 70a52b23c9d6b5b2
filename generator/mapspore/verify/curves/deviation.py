"""How far two curves of one program are apart. In: what two runs left. Out: the largest relative deviation of the
losses, of the first gradients and of the final state; and from two runs of torch, how much of each may be.

A deviation is relative to the larger of two sizes: the tensor's own, and a small share of the largest of its sort,
because a gradient that is nothing but rounding has no size of its own. The size of losses and gradients is their
largest element, so that no element may stray; that of a state, which has gone through all steps, is its Euclidean norm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

FACTOR, LEAST, MOST = 20.0, 1e-5, 1e-3
SHARE = 1e-3
"""Of the largest tensor of its sort: what a tensor's deviation is at least compared with."""
FAR = float("inf")
SORTS = ("loss", "gradient", "state")

Curve = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deviation:
    """The largest relative deviation of each sort, and what it was found in."""

    loss: float
    gradient: float
    state: float
    worst: str

    def of(self, sort: str) -> float:
        value: float = getattr(self, sort)
        return value


def deviation(reference: Curve, other: Curve) -> Deviation:
    """How far a curve is from torch's. Curves of another length or with other names are infinitely far."""
    names = {name for name in reference if name != "seconds"}
    if names != {name for name in other if name != "seconds"}:
        return Deviation(FAR, FAR, FAR, "names")
    found = {sort: (0.0, "") for sort in SORTS}
    for sort in SORTS:
        own = sorted(name for name in names if name.partition("/")[0] == sort)
        size = _norm if sort == "state" else _largest
        least = SHARE * max((size(reference[name]) for name in own), default=0.0)
        for name in own:
            found[sort] = max(found[sort], (_apart(reference[name], other[name], size, least), name))
    worst = max(found.values())[1]
    return Deviation(found["loss"][0], found["gradient"][0], found["state"][0], worst)


def _largest(values: Any) -> float:
    return float(np.abs(values).max(initial=0.0))


def _norm(values: Any) -> float:
    return float(np.sqrt(np.sum(values * values)))


def _apart(reference: Any, other: Any, size: Callable[[Any], float], least: float) -> float:
    """The size of the difference, relatively; where an element is not finite, the other must be the same."""
    if reference.shape != other.shape:
        return FAR
    finite = np.isfinite(reference)
    if not np.isfinite(other[finite]).all() or not np.array_equal(reference[~finite], other[~finite], equal_nan=True):
        return FAR
    difference, scale = size(reference[finite] - other[finite]), max(size(reference[finite]), least)
    return float(difference / scale) if scale else float(difference > 0)


@dataclass(frozen=True, slots=True)
class Bound:
    """How far a curve may be from torch's, by sort."""

    loss: float
    gradient: float
    state: float

    @property
    def ill_posed(self) -> bool:
        """Whether rounding alone takes the program so far away that an agreement would say nothing."""
        return max(self.loss, self.gradient, self.state) > MOST

    def holds(self, found: Deviation) -> bool:
        return not self.ill_posed and all(found.of(sort) <= getattr(self, sort) for sort in SORTS)


def bound(reference: Curve, perturbed: Curve) -> Bound:
    """From torch against itself with perturbed weights."""
    itself = deviation(reference, perturbed)
    return Bound(*(max(FACTOR * itself.of(sort), LEAST) for sort in SORTS))
