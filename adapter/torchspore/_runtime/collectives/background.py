"""Asynchronous calls where MindSpore is synchronous: it would not return from a call before the other ranks have made
it. One thread makes such calls, one after the other in the order in which they were issued, and the caller gets a
`Work`.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from datetime import timedelta
from typing import Any

from ..core.errors import CollectiveTimeout
from .agreement import late
from .work import Work, stick

_waiting: queue.SimpleQueue[tuple[Future[None], Callable[[], object]]] = queue.SimpleQueue()
_thread: threading.Thread | None = None
_last: Future[None] | None = None


def submit(call: Callable[[], object]) -> Future[None]:
    """Have a call made in the background, after those that were issued before."""
    global _last, _thread
    _last = Future()
    _waiting.put((_last, call))
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_run, name="torchspore-collectives", daemon=True)
        _thread.start()
    return _last


def join() -> None:
    """Wait until all calls that were issued in the background have ended: the next one comes after them."""
    if _last is not None:
        _last.exception()


def _run() -> None:
    while True:
        made, call = _waiting.get()
        try:
            call()
        except BaseException as error:
            made.set_exception(error)
        else:
            made.set_result(None)


class Background(Work):
    """A call that is made in the background. Its outputs are written when it has ended."""

    def __init__(self, what: str, made: Future[None], outputs: Callable[[], list[Any]], limit: float) -> None:
        self._what = what
        self._made = made
        self._outputs = outputs
        self._seconds = limit

    def wait(self, timeout: timedelta | None = None) -> bool:
        seconds = timeout.total_seconds() if timeout else None
        try:
            self._made.result(seconds)
        except NotYet:
            if self._made.done():
                raise
            stick()
            raise CollectiveTimeout(late(self._what, seconds or self._seconds)) from None
        return True

    def is_completed(self) -> bool:
        return self._made.done()

    def exception(self) -> BaseException | None:
        return self._made.exception() if self._made.done() else None

    def is_success(self) -> bool:
        return self._made.done() and self._made.exception() is None

    def result(self) -> list[Any]:
        self.wait()
        return self._outputs()
