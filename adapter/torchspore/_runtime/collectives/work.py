"""A communication under way. `Work` knows the caller's outputs and how their values come about; they are written when
it is waited for, and MindSpore's errors are raised there.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from ..core.copies import Unique
from ..core.errors import CollectiveFailed
from ..core.framework import Tensor, settle
from .agreement import Agreement
from .delivery import into
from .groups import Job, ProcessGroup
from .watch import watched

LINGER = 0.5  # seconds
GLANCE = 0.001  # seconds in which a communication that has ended shows it
_ended = [0.0]  # when the last communication of this process ended
_stuck = threading.Event()


def stick() -> None:
    """A communication of this process has no end."""
    _stuck.set()


def linger() -> None:
    """At the end of a process, let its last messages leave: a peer may still be reading what this rank has sent. Where
    MindSpore waits for a message that will not come, nothing is left to do but to end."""
    if _stuck.is_set():
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(1)
    time.sleep(max(0.0, _ended[0] + LINGER - time.monotonic()))


class Work(Unique):
    """The handle of an asynchronous call. Outputs are valid after `wait()`; waiting twice is harmless."""

    UNIQUE = "it stands for a call that is under way; wait for it and pass on the tensors"

    def __init__(
        self,
        job: Job,
        group: ProcessGroup,
        call: str,
        handle: Any,
        output: Tensor | list[Tensor],
        value: Callable[[], Any],
        limit: timedelta | None = None,
        agreement: Agreement | None = None,
        ranks: Sequence[int] | None = None,
    ) -> None:
        self._job = job
        self._group = group
        self._call = call
        self._handle = handle
        self._output = output
        self._value: Callable[[], Any] | None = value
        self._error: BaseException | None = None
        self._issued = time.monotonic()
        self._limit = limit
        self._agreement = agreement
        self._ranks = ranks
        self._waiter: _Waiter | None = None

    def wait(self, timeout: timedelta | None = None) -> bool:
        """Block until the outputs are written. An error of the communication is raised here, each time."""
        if self._value is not None:
            self._complete(timeout)
        if self._error is not None:
            raise self._error
        return True

    def synchronize(self) -> None:
        self.wait()

    def is_completed(self) -> bool:
        """Whether the communication has ended, without waiting for it."""
        if self._value is None:
            return True
        if self._waiter is None:
            self._waiter = _Waiter()
            self._waiter.start()
            self._waiter.join(GLANCE)
        if self._waiter.is_alive():
            return False
        self._complete(None)
        return True

    def is_success(self) -> bool:
        return self.is_completed() and self._error is None

    def exception(self) -> BaseException | None:
        return self._error

    def result(self) -> list[Tensor]:
        """The outputs of this rank, once it has been waited for."""
        self.wait()
        return list(self._output) if isinstance(self._output, list) else [self._output]

    def _complete(self, timeout: timedelta | None) -> None:
        value, self._value = self._value, None
        limit = timeout or self._limit
        seconds = limit.total_seconds() if limit else None
        try:
            self._agree(self._group.timeout.total_seconds() if seconds is None else seconds)
            with watched(self._job, self._group, self._call, self._issued, seconds, self._ranks):
                if self._waiter is not None:
                    self._waiter.finish()
                if self._handle is not None:
                    self._handle.wait()
                settle()
                if value is not None and into(self._output, value()):
                    settle()
            _ended[0] = time.monotonic()
        except Exception as error:
            self._error = error
        self._handle = None

    def _agree(self, seconds: float) -> None:
        """Wait for the other ranks to make the call. It is under way: where they do not, MindSpore goes on waiting, at
        the end of the process too."""
        if self._agreement is None:
            return
        try:
            self._agreement.reach(seconds)
        except CollectiveFailed:
            stick()
            raise


class _Waiter(threading.Thread):
    """Waits in the background. MindSpore raises an error once, so it is kept for the one who asks."""

    def __init__(self) -> None:
        super().__init__(name="torchspore-wait", daemon=True)
        self._error: Exception | None = None

    def run(self) -> None:
        try:
            settle()
        except Exception as error:
            self._error = error

    def finish(self) -> None:
        self.join()
        if self._error is not None:
            raise self._error
