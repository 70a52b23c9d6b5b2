"""Python's collector of cycles, held back while a registry is in memory.

A registry is large, lives to the end of the command and has no cycles; searching it for some again and again
takes a fifth of the time and finds nothing.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def gc_paused() -> Iterator[None]:
    """Pauses Python's cycle collector within a block."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
