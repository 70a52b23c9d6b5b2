"""Write what a person asked for to the place that they named. In: a path and the text in parts. Out: the file.

A link is followed. An ordinary file gets the new content whole or not at all; a device or a pipe is written to as it
is, and never read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from mapspore.base.diagnostics import WRONG_USAGE, Refusal, system_reason
from mapspore.base.staging import Staging, told_of_the_end

LINKS = 40
"""How many links in a row are followed, as the system does."""


def write_output(path: Path, parts: Iterable[str]) -> None:
    """The text at the path; a refusal if it cannot be written there."""
    try:
        mode = _mode(path)
        if mode is not None and (not stat.S_ISREG(mode) or _is_open_file(path)):
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            with open(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
                stream.writelines(parts)
            return
        real = os.path.realpath(path)
        os.makedirs(os.path.dirname(real), exist_ok=True)
        with told_of_the_end(), Staging() as staging:
            with open(staging.path_for(real), "w", encoding="utf-8", errors="backslashreplace") as stream:
                stream.writelines(parts)
                os.fchmod(stream.fileno(), 0o644 if mode is None else stat.S_IMODE(mode))
            staging.place()
    except OSError as problem:
        raise Refusal("C106", exit_code=WRONG_USAGE, path=path, reason=system_reason(problem)) from None


def _mode(path: Path) -> int | None:
    """What stands at the path, through links; None if nothing does."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _is_open_file(path: Path) -> bool:
    """Whether the path stands for a file that a process has open, such as `/dev/stdout`: then that is written to."""
    step = os.path.abspath(path)
    for _ in range(LINKS):
        if step.startswith("/proc/"):
            return True
        if not os.path.islink(step):
            return False
        step = os.path.join(os.path.dirname(step), os.readlink(step))
    return False
