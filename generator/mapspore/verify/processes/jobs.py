"""Runs cases in real processes. In: jobs (a side, a number of ranks, cases). Out: what each case did on each rank, or
why there is nothing to tell. Servers that have imported their framework once fork the ranks; a job has its own port
and a time limit; what a crash or a hang leaves undone is run again without the case that it happened in, which gets a
second chance alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

Case = dict[str, Any]
Outcome = dict[str, Any]
Key = tuple[str, str | None]
"""A case's id and the target it ran with."""

TIMEOUT = 15.0  # seconds of one communication
LIMIT = 60.0  # seconds of a job, besides what its cases take
OF_A_CASE = 0.5  # seconds
STALL = 45.0  # seconds in which no rank ends a case; a start takes some
RESTARTS = 8  # of what is left of one job


@dataclass(frozen=True)
class Job:
    """Cases that run one after the other in one set of processes."""

    side: str
    size: int
    cases: tuple[Case, ...]
    groups: dict[str, list[int]] = field(default_factory=dict)
    adapter: Path | None = None
    """The folder that holds the package to be verified, if it is not the installed one."""
    start: float = 0.0
    """Seconds more that its processes, or those that a case starts itself, may take to come up."""
    of_a_case: float = OF_A_CASE
    restarts: int = RESTARTS
    """How often what is left of it is started again."""

    @property
    def keys(self) -> list[Key]:
        return [(case["id"], case.get("target")) for case in self.cases]


@dataclass
class Done:
    """What came of a job: by case, the outcome of each rank; and the cases that did not come to an end."""

    outcomes: dict[Key, list[Outcome]] = field(default_factory=dict)
    failed: dict[Key, str] = field(default_factory=dict)
    retried: dict[Key, str] = field(default_factory=dict)
    """Cases that came to their end only when they were run alone, and how the job ended in which they did not."""


class Servers:
    """The fork servers of both sides, as many as run at once, started when needed and ended with the block."""

    def __init__(self) -> None:
        self._idle: dict[str, list[subprocess.Popen[str]]] = {}
        self._all: list[subprocess.Popen[str]] = []
        self._lock = threading.Lock()
        self.folder = Path(tempfile.mkdtemp(prefix="mapspore-verify-"))

    def __enter__(self) -> Servers:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._all:
            if server.stdin:
                server.stdin.close()
        for server in self._all:
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def of(self, side: str) -> Iterator[subprocess.Popen[str]]:
        with self._lock:
            idle = self._idle.setdefault(side, [])
            server = idle.pop() if idle else None
        server = server or self._start(side)
        yield server
        with self._lock:
            self._idle[side].append(server)

    def _start(self, side: str) -> subprocess.Popen[str]:
        package = Path(__file__).parents[3]
        paths = [str(package), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "GLOG_v": "3", "PYTHONPATH": os.pathsep.join(paths)}
        number = len(self._all)
        with open(self.folder / f"server{number}.log", "w") as log:
            server = subprocess.Popen(
                [sys.executable, "-m", "mapspore.verify.processes.server", side],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=self.folder, env=environment,
            )  # fmt: skip
        self._all.append(server)
        assert server.stdout is not None
        if "ready" not in server.stdout.readline():
            raise RuntimeError((self.folder / f"server{number}.log").read_text()[-2000:])
        return server


@dataclass(frozen=True)
class Settings:
    """What all jobs of a verification have in common."""

    servers: Servers
    targets: Sequence[str] = ()
    """The targets that are verified; all of them if none is named."""
    at_once: int = 2
    quick: bool = False
    adapter: Path | None = None
    """The folder that holds the package to be verified, if it is not the installed one."""
    draws: bool = True
    """Whether calls of PyTorch's own tests are run too."""
    report: Callable[[int, int], None] = lambda done, total: None
    """Is told how many cases have run, out of how many."""

    def wants(self, target: str | None) -> bool:
        return target is None or not self.targets or target in self.targets


def run_jobs(jobs: Sequence[Job], settings: Settings) -> list[Done]:
    """All jobs, some at once."""
    done, total, servers = [0], sum(len(job.cases) for job in jobs), settings.servers

    def one(numbered: tuple[int, Job]) -> Done:
        made = run_job(numbered[1], servers, servers.folder / str(numbered[0]))
        done[0] += len(numbered[1].cases)
        settings.report(done[0], total)
        return made

    with ThreadPoolExecutor(settings.at_once) as pool:
        return list(pool.map(one, enumerate(jobs)))


def run_job(job: Job, servers: Servers, folder: Path) -> Done:
    """Run a job to its end, with as many new starts as it takes, and what failed once more alone."""
    done, left, suspects = Done(), job, []
    for attempt in range(job.restarts if job.cases else 0):
        ran, why = _run_once(left, servers, folder / str(attempt))
        done.outcomes |= ran
        rest = [case for case in left.cases if (case["id"], case.get("target")) not in ran]
        if not rest:
            break
        if ran or attempt:  # else nothing has run, which a port that was taken explains best
            suspects.append((rest.pop(0), why))
        left = replace(left, cases=tuple(rest))
        if not rest:
            break
    else:
        done.failed |= dict.fromkeys(left.keys, "not run: too many cases before it crashed or hung")
    for number, (case, why) in enumerate(suspects):
        alone, again = _run_once(replace(job, cases=(case,)), servers, folder / f"alone{number}")
        done.outcomes |= alone
        if alone:
            done.retried[case["id"], case.get("target")] = why
        else:
            done.failed[case["id"], case.get("target")] = again or why
    return done


def _run_once(job: Job, servers: Servers, folder: Path) -> tuple[dict[Key, list[Outcome]], str]:
    """The outcomes of the cases that all ranks came to the end of, and how the job ended if it did not."""
    folder.mkdir(parents=True, exist_ok=True)
    description = {
        "side": job.side,
        "size": job.size,
        "groups": job.groups,
        "timeout": TIMEOUT,
        "limit": LIMIT + job.of_a_case * len(job.cases) + job.start,
        "stall": STALL + job.start,
        "folder": str(folder),
        "adapter": str(job.adapter) if job.adapter else None,
    }
    with contextlib.ExitStack() as reserved, servers.of(job.side) as server:
        assert server.stdin is not None and server.stdout is not None
        description["port"] = reserved.enter_context(reserved_port())
        description["cases"] = [
            {**case, "number": number, **({"port": reserved.enter_context(reserved_port())} if "text" in case else {})}
            for number, case in enumerate(job.cases)
        ]  # a program connects by itself, at a port of its own
        server.stdin.write(json.dumps(description) + "\n")
        server.stdin.flush()
        codes = json.loads(server.stdout.readline())["codes"]
    ranks = [_read(folder / f"rank{rank}.jsonl") for rank in range(job.size)]
    complete = min(len(rank) for rank in ranks)
    outcomes = {key: [rank[place] for rank in ranks] for place, key in enumerate(job.keys[:complete])}
    ended = [_ended(code) for code in codes]
    why = "" if not any(codes) else f"the ranks ended with {', '.join(ended)}\n" + "\n".join(_logs(folder, job.size))
    shutil.rmtree(folder, ignore_errors=True)
    return outcomes, why


def _ended(code: int | None) -> str:
    """How a process ended: by its code, by a signal, or by us because it hung."""
    if code is None:
        return "a hang"
    return signal.Signals(-code).name if code < 0 else str(code)


def _read(file: Path) -> list[Outcome]:
    if not file.exists():
        return []
    lines = file.read_text("utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def _logs(folder: Path, size: int) -> Iterator[str]:
    for rank in range(size):
        file = folder / f"rank{rank}.log"
        lines = file.read_text("utf-8", "replace").splitlines() if file.exists() else []
        said = [line for line in lines if "Event base dispatch" not in line]  # MindSpore says it on every start
        yield f"rank {rank}: " + "\n".join(said[-8:])


@contextlib.contextmanager
def reserved_port() -> Iterator[int]:
    """A port that the system gives to nobody else in the meantime: it is bound here, but not listened on, so that
    rank 0 can still serve there."""
    with socket.socket() as reserving:
        reserving.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserving.bind(("127.0.0.1", 0))
        yield int(reserving.getsockname()[1])
