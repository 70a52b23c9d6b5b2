"""What tests share that start processes: when one hangs, that one has ended, and how torch's may end.

A test waits for an event: a file, a line, a closed pipe, the end of a process. `HANGS` only keeps one that will never
come from being waited for without an end; no test is about how long something takes.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterable

HANGS = 900.0  # seconds
ABORT = "terminate called without an active exception"


def await_end(pids: Iterable[int]) -> None:
    """Returns when all of these processes have ended, whoever has to wait for them."""
    for pid in pids:
        try:
            process = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([process], [], [], HANGS)
        os.close(process)
        assert ended, f"process {pid} still runs"


def torch_ended(code: int | None, said: str) -> bool:
    """Whether a program of torch's came to its end. On a busy machine gloo's threads abort a process now and then, when
    it has left its group and everything is done: what it printed and wrote is complete, and only its code is lost."""
    return code == 0 or (code is not None and ABORT in said)
