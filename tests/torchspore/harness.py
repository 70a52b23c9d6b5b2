"""Starts programs as the ranks of a job, with the environment that torchrun gives or another. In: commands. Out: exit
codes and what each rank printed.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from mapspore.verify.processes.jobs import reserved_port as reserved_port
from processes import HANGS

ADAPTER = Path(__file__).resolve().parents[2] / "adapter"
PATIENCE = 60.0  # seconds for the others once a rank has failed: they wait for it in vain

# What the programs of ranks tell each other with, beside what they are about: a rank waits for a file of another.
MEETING = """
import os, time
def say(what):
    open(what, "w").close()
def await_file(what):
    while not os.path.exists(what):
        time.sleep(0.01)
def await_ranks(size):
    say("rank" + os.environ["RANK"])
    for rank in range(size):
        await_file(f"rank{rank}")
"""


def run_ranks(
    commands: Sequence[Sequence[str]], folder: Path, environments: Sequence[dict[str, str]] | None = None
) -> tuple[list[int | None], list[str]]:
    """Start one process per rank with the environment that torchrun gives, or another, and wait. Returns exit codes
    (None: had to be ended) and what each printed."""
    if environments is None:
        with reserved_port() as port:
            return run_ranks(commands, folder, torch_environments(len(commands), port))
    folder.mkdir(parents=True, exist_ok=True)
    shared = os.environ | {"OMP_NUM_THREADS": "1", "GLOG_v": "3", "PYTHONPATH": str(ADAPTER)}
    processes, files = [], [folder / f"rank{rank}.log" for rank in range(len(commands))]
    for command, environment, file in zip(commands, environments, files, strict=True):
        with file.open("w") as log:
            env = shared | environment
            # MindSpore leaves files where it runs
            processes.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=env, cwd=folder))
    ends = time.monotonic() + HANGS
    try:
        while any(process.poll() is None for process in processes) and time.monotonic() < ends:
            if any(process.poll() not in (None, 0) for process in processes):
                ends = min(ends, time.monotonic() + PATIENCE)
            time.sleep(0.05)
        codes = [process.poll() for process in processes]
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.wait()
    return codes, [f"--- rank {rank}\n{_said(file)[-30_000:]}" for rank, file in enumerate(files)]


def _said(file: Path) -> str:
    """What a process printed, without what MindSpore's threads say on every start."""
    lines = file.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if "Event base dispatch" not in line)


def torch_environments(size: int, port: int) -> list[dict[str, str]]:
    """What torchrun tells each of its processes."""
    meeting = {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    return [meeting | {"RANK": str(rank)} for rank in range(size)]
