"""The comparisons that a condition under `when` can make. In: nothing. Out: `COMPARISONS`, each a function of the
argument and of what it is compared with, and `QUANTITIES`, the names that stand for something only a run can tell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _numbers(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "above": lambda given, other: _numbers(given) and given > other,
    "below": lambda given, other: _numbers(given) and given < other,
    "shorter": lambda given, other: isinstance(given, list | tuple) and len(given) < other,
    "longer": lambda given, other: isinstance(given, list | tuple) and len(given) > other,
    "holds": lambda given, other: isinstance(given, list | tuple) and other in given,
}
"""By word: a number above or below another, a list with fewer or more items, a list with a certain item."""
QUANTITIES = ("elements", "dimensions")
"""Of the first tensor of a call."""
