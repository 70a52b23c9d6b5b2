"""What a caller gets back: several results under names, and words that convert a result."""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import Any


@cache
def named(name: str, *fields: str) -> Any:
    """The type of several results that can be asked for by name or by place. It is found by name and fields, so that a
    result can be pickled."""

    def reduced(self: Any) -> Any:
        return _result, (name, fields, tuple(self))

    return type(name, (namedtuple(name, fields),), {"__slots__": (), "__reduce__": reduced})


def _result(name: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return named(name, *fields)(*values)
