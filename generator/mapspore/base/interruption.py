"""Ctrl-C at an unlucky moment. In: an interruption that reaches the process while Python finalises an object, where
Python prints an exception and then drops it. Out: the same interruption, raised where `raise_dropped` is called: before
files are put in place, wherever progress is told, and when a command ends.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_dropped: list[KeyboardInterrupt] = []


@contextmanager
def kept_interruptions() -> Iterator[None]:
    """Keeps what Python would drop; an interruption that nobody asked for again is raised at the end."""
    before = sys.unraisablehook

    def keep(unraisable: sys.UnraisableHookArgs) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            _dropped.append(unraisable.exc_value)
        else:
            before(unraisable)

    sys.unraisablehook = keep
    try:
        yield
        raise_dropped()
    finally:
        sys.unraisablehook = before
        _dropped.clear()


def raise_dropped() -> None:
    """Ends what is under way if an interruption was dropped since it began."""
    if _dropped:
        raise _dropped.pop()
