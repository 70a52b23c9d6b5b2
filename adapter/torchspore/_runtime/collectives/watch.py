"""No communication waits for ever. Around each wait of the host stands `watched`: an error that MindSpore raises
there becomes one sentence with the rank, the call and the time waited, and ends all further communication of this
process; a wait that MindSpore does not end is ended together with the process, be it over its time or for a rank that
has ended.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..core.errors import CollectiveFailed, CollectiveTimeout, UnsupportedArgument
from ..core.interrupts import ended_by_interrupts
from .agreement import late
from .groups import Job, ProcessGroup

PATIENCE = 2.0  # seconds for what a rank had sent before it ended
LOOK = 0.2  # seconds until the watcher looks again
GRACE = 5.0  # seconds for MindSpore's own time-out to be raised as an error before the process is ended


@dataclass(frozen=True)
class _Wait:
    what: str
    started: float
    ends: float
    job: Job
    ranks: Sequence[int]


_waits: list[_Wait] = []
_watcher: threading.Thread | None = None


@contextmanager
def watched(
    job: Job,
    group: ProcessGroup,
    call: str,
    issued: float,
    seconds: float | None = None,
    ranks: Sequence[int] | None = None,
) -> Iterator[None]:
    """Run a wait of the host for a call that was issued in a group, for at most the group's time-out, and for as long
    as all its ranks, or some that are given, are there."""
    check_usable(job)
    limit = group.timeout.total_seconds() if seconds is None else seconds
    own_end = limit >= job.world.timeout.total_seconds()  # MindSpore was given the time-out of the world group
    ends = time.monotonic() + limit + (GRACE if own_end else 0)
    wait = _Wait(f"rank {job.rank}: {call}", issued, ends, job, group.ranks if ranks is None else ranks)
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
            raise CollectiveTimeout(late(wait.what, waited)) from None
        job.failure = f"{wait.what} failed"
        first_line = str(error).strip().splitlines()[0]
        raise CollectiveFailed(f"{wait.what} failed after {waited:.1f} s: {first_line}") from error
    finally:
        _waits.remove(wait)


def check_usable(job: Job) -> None:
    """After a failure the messages of the ranks no longer match: going on would give wrong values silently."""
    if job.failure is not None:
        raise CollectiveFailed(f"{job.failure}; after that no communication is possible, so start the job again.")


def _start_watcher() -> None:
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_look, name="torchspore-watch", daemon=True)
        _watcher.start()


def _look() -> None:
    while True:
        time.sleep(LOOK)
        now = time.monotonic()
        for wait in tuple(_waits):
            sentence = _lost(wait, now) or (late(wait.what, now - wait.started) if now > wait.ends else "")
            if sentence:
                print(f"torchspore: {sentence} This process ends now.", file=sys.stderr, flush=True)
                os._exit(1)


def _lost(wait: _Wait, now: float) -> str:
    """Why a wait has no end, as far as the other ranks show it."""
    peers = wait.job.peers
    if peers is None:
        return ""
    peers.take_in()
    if peers.failed is not None and now > wait.started + PATIENCE:
        return f"{wait.what} cannot go on: {peers.failed}"
    for rank in wait.ranks:
        if rank in peers.ended and now > max(peers.ended[rank], wait.started) + PATIENCE:
            return f"{wait.what} cannot complete: rank {rank} of the group has ended."
    return ""
