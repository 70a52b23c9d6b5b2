"""No communication waits for ever. Around each wait of the host stands `watched`: an error that MindSpore raises
there becomes one sentence with the rank, the call and the time waited, and ends all further communication of this
process; a wait that MindSpore does not end is ended together with the process.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..core.errors import CollectiveFailed, CollectiveTimeout, UnsupportedArgument
from ..core.interrupts import ended_by_interrupts
from .groups import Job, ProcessGroup

GRACE = 5.0  # seconds for MindSpore's own time-out to be raised as an error before the process is ended


@dataclass(frozen=True)
class _Wait:
    what: str
    started: float
    ends: float


_waits: list[_Wait] = []
_watcher: threading.Thread | None = None


@contextmanager
def watched(job: Job, group: ProcessGroup, call: str, issued: float, seconds: float | None = None) -> Iterator[None]:
    """Run a wait of the host for a call that was issued in a group, for at most the group's time-out."""
    check_usable(job)
    limit = group.timeout.total_seconds() if seconds is None else seconds
    own_end = limit >= job.world.timeout.total_seconds()  # MindSpore was given the time-out of the world group
    ends = time.monotonic() + limit + (GRACE if own_end else 0)
    wait = _Wait(f"rank {job.rank}: {call}", issued, ends)
    _waits.append(wait)
    _start_watcher()
    try:
        with ended_by_interrupts():
            yield
    except (CollectiveFailed, UnsupportedArgument):
        raise
    except RuntimeError as error:
        waited = time.monotonic() - issued
        if waited >= limit:
            job.failure = f"{wait.what} waited {waited:.1f} s"
            raise CollectiveTimeout(_sentence(wait, waited)) from None
        job.failure = f"{wait.what} failed"
        first_line = str(error).strip().splitlines()[0]
        raise CollectiveFailed(f"{wait.what} failed after {waited:.1f} s: {first_line}") from error
    finally:
        _waits.remove(wait)


def check_usable(job: Job) -> None:
    """After a failure the messages of the ranks no longer match: going on would give wrong values silently."""
    if job.failure is not None:
        raise CollectiveFailed(f"{job.failure}; after that no communication is possible, so start the job again.")


def _sentence(wait: _Wait, waited: float) -> str:
    return (
        f"{wait.what} waited {waited:.1f} s for the other ranks of the group; one of them has ended or did not make "
        "this call. Set `timeout` where the processes are connected if they may be that late."
    )


def _start_watcher() -> None:
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_look, name="torchspore-watch", daemon=True)
        _watcher.start()


def _look() -> None:
    while True:
        time.sleep(0.2)
        now = time.monotonic()
        for wait in tuple(_waits):
            if now > wait.ends:
                print(
                    f"torchspore: {_sentence(wait, now - wait.started)} This process ends now.",
                    file=sys.stderr,
                    flush=True,
                )
                os._exit(1)
