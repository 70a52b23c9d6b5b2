"""The launcher ends, however that comes about, and its ranks end with it (H24)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from processes import HANGS, await_end

pytestmark = pytest.mark.processes

ADAPTER = Path(__file__).resolve().parents[2] / "adapter"
# Each rank has a child, and writes both numbers into a pipe once it ignores whatever can be ignored.
RANK = """
import os, signal, subprocess, sys
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
with open(os.environ["SAYS"], "w") as pipe:
    print(os.getpid(), child.pid, file=pipe)
signal.pause()
"""


def started(folder: Path, count: int) -> tuple[subprocess.Popen[bytes], list[int]]:
    """A launcher whose ranks all run, and their numbers and those of their children."""
    script, pipe = folder / "rank.py", folder / "says"
    script.write_text(RANK)
    os.mkfifo(pipe)
    launcher = subprocess.Popen(
        [sys.executable, "-m", "torchspore.launch", "--nproc", str(count), str(script)],
        env={**os.environ, "PYTHONPATH": str(ADAPTER), "SAYS": str(pipe)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with open(os.open(pipe, os.O_RDWR)) as reading:  # open for writing too: so it has no end while ranks come and go
        said = [reading.readline() for _ in range(count)]
    return launcher, list(map(int, " ".join(said).split()))


@pytest.mark.parametrize("name", ["SIGKILL", "SIGQUIT", "SIGABRT", "SIGUSR1", "SIGTERM"])
def test_h24_the_end_of_the_launcher_ends_the_ranks(name: str, tmp_path: Path) -> None:
    launcher, processes = started(tmp_path, 3)
    assert len(processes) == 6
    launcher.send_signal(getattr(signal, name))
    launcher.wait(timeout=HANGS)
    await_end(processes)


def test_h24_a_rank_ends_with_a_launcher_whose_guard_has_ended(tmp_path: Path) -> None:
    launcher, processes = started(tmp_path, 1)
    children = Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
    (guard,) = [pid for pid in map(int, children) if pid not in processes]
    os.kill(guard, signal.SIGKILL)
    await_end([guard])
    launcher.kill()
    launcher.wait(timeout=HANGS)
    await_end(processes[:1])
    os.kill(processes[1], signal.SIGKILL)
