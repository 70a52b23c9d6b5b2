"""Ctrl-C. In: the handlers of signals that a program has. Out: the same ones once MindSpore's runtime has started.

When its runtime starts, which is when the first operator runs, MindSpore 2.10 puts a handler of its own in the place of
Python's: Ctrl-C then ends the process at once, and no `except KeyboardInterrupt` and no `finally` is reached. So the
adapter starts the runtime itself right before its first call, where the handlers can be put back; it costs what the
first operator would have cost. Only while the host waits for other processes inside MindSpore, where no Python runs,
does Ctrl-C end the process at once: otherwise it would do nothing until the other processes come.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from .framework import run_anything

SIGNALS = (signal.SIGINT, signal.SIGTERM)
_kept = False


def keep_handlers() -> None:
    """Start the runtime, and put back what Python had installed. Only the main thread may do that."""
    global _kept
    if _kept or threading.current_thread() is not threading.main_thread():
        return
    _kept = True
    before = {number: signal.getsignal(number) for number in SIGNALS}
    run_anything()
    for number, handler in before.items():
        if handler is not None:  # one that was not installed from Python is somebody else's
            signal.signal(number, handler)


@contextmanager
def ended_by_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the process, unless the program has a handler of its own, which then runs after the wait."""
    python = signal.getsignal(signal.SIGINT)
    if python is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, python)
