"""Whether MindSpore has run an operation when the call returns. On a CPU it shall: then an error is raised by the call
that made it. The mode is set when the adapter is loaded, unless somebody has chosen already.

MindSpore computes shapes and launches kernels in two steps. Whether the first is done within the call is settled once,
by the mode at the first operation of the process; the second follows the mode at any time. So where operations had run
before the mode was set, calls `lag`, and the adapter waits after each of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any

from .framework import block, blocking, blocking_for_good, mindspore, platform, preceded, settle

VARIABLE = "TORCHSPORE_SYNCHRONOUS"
"""The environment variable that says whether MindSpore runs synchronously: 1 or 0."""

_set = False  # whether the adapter has made MindSpore synchronous
_lags = False


def synchronous(mode: bool | None = None) -> bool:
    """Whether each operation has run when its call returns, so that its error is raised there; with a value, whether it
    shall be so from now on. What was enqueued before runs first, and an error of it is raised here."""
    global _lags, _set
    if mode is not None:
        if not isinstance(mode, bool):
            raise TypeError(f"synchronous() takes True or False, but it is given {mode!r}.")
        if not mode and blocking_for_good():
            raise RuntimeError(
                "mindspore.runtime.launch_blocking() was called in this process, and MindSpore cannot take it back."
            )
        settle()
        block(mode)
        _set, _lags = mode, mode and _is_late()
    return blocking()


def lags() -> bool:
    """Whether the adapter has to wait after each call to be synchronous."""
    return _lags and blocking()


def certain() -> bool:
    """Whether an error that MindSpore raises is one of the present call."""
    return _set and blocking()


def prompt(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that raises its own errors; where calls lag, by waiting."""
    if not lags():
        return function

    @wraps(function)
    def waiting(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        settle()
        return result

    return waiting


@contextmanager
def enqueueing() -> Iterator[None]:
    """Only enqueue what is called inside: what waits for other processes must not block its caller."""
    if not blocking():
        yield
        return
    block(False)
    try:
        yield
    finally:
        block(True)


def _is_late() -> bool:
    """Whether an operation that cannot be done is refused after its call."""
    try:
        mindspore.ops.cat([])
    except Exception:
        return False
    with suppress(Exception):
        settle()
    return True


def _begin() -> None:
    """Choose the mode: as the environment says, else synchronous on a CPU."""
    global _set
    asked = os.environ.get(VARIABLE)
    if asked not in (None, "", "0", "1"):
        raise ImportError(f"The environment variable {VARIABLE} must be 0 or 1, but it is {asked!r}.")
    if asked == "0" or (not asked and platform() != "CPU"):
        return
    if preceded:
        synchronous(True)
    else:
        block(True)
        _set = True


_begin()
