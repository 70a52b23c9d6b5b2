"""Read a file that somebody else may have made. In: a path and a limit. Out: its bytes, or `Unreadable`.

A named pipe does not block, a device is not read, and no more is read of a huge file than it takes to refuse it.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import Literal

Reason = Literal["missing", "denied", "special", "loop", "large", "failed"]

_REASONS: dict[int, Reason] = {
    errno.ENOENT: "missing", errno.EACCES: "denied", errno.EPERM: "denied", errno.EISDIR: "special",
    errno.ENXIO: "special", errno.ELOOP: "loop",
}  # fmt: skip


class Unreadable(Exception):
    """A file that cannot be read, or is not to be read, and why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def reason_of(problem: OSError) -> Reason:
    return _REASONS.get(problem.errno or 0, "failed")


def read_file(path: str | os.PathLike[str], largest: int) -> bytes:
    """The content of an ordinary file that has no more bytes than `largest`."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb", buffering=0) as stream:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise Unreadable("special")
            if state.st_size > largest:
                raise Unreadable("large")
            raw = stream.readall()  # one that grows meanwhile ends somewhere: it lies on a disk
    except OSError as problem:
        raise Unreadable(reason_of(problem)) from None
    if len(raw) > largest:
        raise Unreadable("large")
    return raw
