"""Ends the ranks of a launcher that could not do so itself, because it was killed. In, on standard input: the number of
a process group per line, and a last line once the launcher has ended them all. Without that line, the end of the input
is the end of the launcher. It needs Python only, and the package is not imported.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

DONE = "done"
GRACE = 3.0  # seconds that a process has to end after it was asked to
LOOK = 0.02


def main() -> None:
    groups: list[int] = []
    for line in sys.stdin:
        if line.strip() == DONE:
            return
        groups.append(int(line))
    _reach(groups, signal.SIGTERM)
    ends = time.monotonic() + GRACE
    while _reach(groups, 0) and time.monotonic() < ends:
        time.sleep(LOOK)
    _reach(groups, signal.SIGKILL)


def _reach(groups: list[int], number: int) -> bool:
    """Send a signal to all of these groups; whether one of them is still there."""
    found = False
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
            found = True
    return found


if __name__ == "__main__":
    main()
