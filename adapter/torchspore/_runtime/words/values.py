"""Words that convert plain values, each from a value and its options to the converted value; predicates on plain
values; and how a row of supported combinations is read.

This module imports nothing, so that the generator can apply the same functions to documented defaults and to calls.
"""

from __future__ import annotations

from typing import Any

LISTS = (list, tuple)
GIVEN = "given"
"""Stands in a row of supported combinations for any value but None."""


def complement(value: Any) -> Any:
    """One minus a number: torch's momentum weighs the new value, MindSpore's the old one."""
    return None if value is None else round(1 - value, 15)


def item(value: Any, *, index: int) -> Any:
    """One item of a tuple that MindSpore takes as separate arguments."""
    return value[index]


def correction_to_number(value: Any) -> Any:
    """The correction of a variance as a number: torch's `correction`, or 1 or 0 for `unbiased`; 1 if none is given."""
    return 1 if value is None else +value  # of a truth value that is 0 or 1


def axes(value: Any) -> Any:
    """Dimensions as a tuple; one alone stays a number, and no dimension means all."""
    return (tuple(value) or None) if isinstance(value, LISTS) else value


def bool_as_int(value: Any) -> Any:
    """A number in place of a truth value."""
    return int(value) if isinstance(value, bool) else value


def as_tuple(value: Any) -> Any:
    """Several numbers as a tuple."""
    return tuple(value) if isinstance(value, LISTS) else value


def choose(value: Any, *, true: Any, false: Any) -> Any:
    """One of two values, by a truth value."""
    return true if value else false


def given_or(given: Any, /, *, value: Any) -> Any:
    """The argument if it is not None, else a fixed value."""
    return value if given is None else given


def as_float(value: Any) -> Any:
    """A number as a float, where MindSpore takes no other."""
    return float(value) if isinstance(value, int) else value


def adam_eps_before_correction(eps: float, betas: Any, step: int) -> float:
    """Adam's `eps` for MindSpore, which adds it before the second moment's bias is corrected; torch adds it after."""
    return float(eps * (1 - betas[1] ** step) ** 0.5)


def nonzero(value: Any) -> bool:
    """Whether a number is not 0."""
    return bool(value != 0)


def nonempty(tensor: Any) -> bool:
    """Whether a tensor has elements."""
    return bool(tensor._size)  # `size` is a property in Python, which takes three times as long


def given(value: Any) -> bool:
    """Whether there is a value at all."""
    return value is not None


def fits(row: Any, arguments: Any) -> bool:
    """Whether arguments are what a row of supported combinations asks for, by name one value or several. A tensor
    counts by its number of dimensions; a parameter that is not among the arguments is not asked for."""
    return all(_one_of(arguments[name], wanted) for name, wanted in row.items() if name in arguments)


def _one_of(value: Any, wanted: Any) -> bool:
    several = wanted if isinstance(wanted, LISTS) else (wanted,)
    if value is not None and GIVEN in several:
        return True
    return any(value is each or (type(value) is type(each) and value == each) for each in several)
