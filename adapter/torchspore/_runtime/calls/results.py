"""What a caller gets back: several results under names, and words that convert a result."""

from __future__ import annotations

from collections import namedtuple
from typing import Any


def named(name: str, *fields: str) -> Any:
    """The type of several results that can be asked for by name or by place."""
    return namedtuple(name, fields)
