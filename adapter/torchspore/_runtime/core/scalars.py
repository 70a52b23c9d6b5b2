"""Scalars of NumPy that a caller hands over become Python's, which MindSpore takes everywhere."""

from __future__ import annotations

from typing import Any

from .framework import numpy

SCALARS = (numpy.integer, numpy.floating)
PLAIN = frozenset({bool, int, float, complex, str, type(None)})
"""The types of most arguments. Any other may be a scalar of NumPy or hold some."""


def plain(value: Any) -> Any:
    """A scalar of NumPy, alone or in a list or tuple, as Python's; anything else as it is."""
    if isinstance(value, (*SCALARS, numpy.bool_)):
        return value.item()
    return type(value)(map(plain, value)) if type(value) in (list, tuple) else value
