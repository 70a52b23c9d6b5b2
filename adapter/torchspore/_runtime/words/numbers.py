"""Words that convert plain values. Each takes a value and its options and returns the converted value.

This module imports nothing, so that the generator can apply the same functions to documented defaults.
"""

from __future__ import annotations

from typing import Any


def complement(value: Any) -> Any:
    """What is left to one: a momentum that counts the new value becomes one that counts the old."""
    return None if value is None else round(1 - value, 15)


def item(value: Any, *, index: int) -> Any:
    """One item of a tuple that MindSpore takes as separate arguments."""
    return value[index]
