"""Worker processes, seen from the program. In: a dataset's source, how many workers, a seed. Out: workers that tasks
are sent to and batches are received from. A worker that ends unasked is noticed at once; all of them end with the
program.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait
from typing import Any

from . import parcels
from .fetching import Source
from .lines import Line
from .nursery import FORK, IMPORT, NUMBER, WAIT, WorkerTask

PATIENCE = 5.0
"""Seconds that a worker has to end by itself."""
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); from torchspore._runtime.data.nursery import serve; "
    "serve(int(sys.argv[1]))"
)
_before: list[str] = []


def before_work(function: str) -> None:
    """Let every worker call a function, given as `module:name`, before its work is unpacked."""
    if function not in _before:
        _before.append(function)


class Nursery:
    """The process that workers are made of; there is one per program, started when the first worker is needed."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._lock = threading.Lock()
        self._preloaded = False
        self._crews: weakref.WeakSet[Crew] = weakref.WeakSet()
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-c", _BOOT, str(theirs.fileno()), json.dumps(sys.path)]
        with theirs:
            self._process = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, process_group=0
            )

    def worker(self) -> tuple[int, Line]:
        """A new worker: the number of its process, and the line to it."""
        ours, theirs = socket.socketpair()
        with theirs, self._lock:
            socket.send_fds(self._control, [FORK], [theirs.fileno()])
            process = self._number()
        return process, Line(ours)

    def preload(self) -> None:
        """Let later workers begin with MindSpore imported, since earlier ones needed it."""
        with self._lock:
            if not self._preloaded:
                self._preloaded = True
                self._control.sendall(IMPORT)

    def exit_code(self, process: int) -> int:
        """How a worker ended, which is waited for; if it does not end, it is killed."""
        with self._lock:
            self._control.sendall(WAIT + NUMBER.pack(process))
            self._control.settimeout(PATIENCE)
            try:
                first = self._control.recv(1)
            except TimeoutError:
                os.kill(process, signal.SIGKILL)
                self._control.settimeout(None)
                first = self._control.recv(1)
            finally:
                self._control.settimeout(None)
            return self._number(first)

    def _number(self, data: bytes = b"") -> int:
        while len(data) < NUMBER.size:
            more = self._control.recv(NUMBER.size - len(data))
            if not more:
                raise RuntimeError("DataLoader: the process that makes workers has ended.")
            data += more
        (number,) = NUMBER.unpack(data)
        return int(number)

    def employ(self, crew: Crew) -> None:
        self._crews.add(crew)

    def close(self) -> None:
        """End all workers and this process."""
        if self.owner == os.getpid():
            for crew in list(self._crews):
                crew.end()
            self._control.close()
            self._process.wait()


_nursery: Nursery | None = None


def nursery() -> Nursery:
    global _nursery
    if _nursery is None or _nursery.owner != os.getpid() or _nursery._process.poll() is not None:
        _nursery = Nursery()
        atexit.register(_nursery.close)
    return _nursery


class Crew:
    """The workers of one loader."""

    def __init__(self, source: Source, begin: Callable[[int], Any] | None, size: int, base_seed: int) -> None:
        self._nursery = nursery()
        self._processes: list[int] = []
        self._lines: list[Line] = []
        self._nursery.employ(self)
        work = parcels.packed_work((source, begin))
        around = (os.getcwd(), dict(os.environ), list(sys.path), list(sys.argv), tuple(_before))
        try:
            for number in range(size):
                process, line = self._nursery.worker()
                self._processes.append(process)
                self._lines.append(line)
                line.send(parcels.packed(tuple(WorkerTask(number, size, base_seed, *around, work))))
        except BaseException:
            self.end()
            raise

    def send(self, worker: int, task: Any) -> None:
        try:
            self._lines[worker].send(parcels.packed(task))
        except OSError:
            raise self._lost([worker]) from None

    def receive(self, active: Sequence[int], timeout: float) -> tuple[int, int | None, Any]:
        """The next answer of any of these workers: who, to which task, and what."""
        by_line: dict[Any, int] = {self._lines[worker]: worker for worker in active}
        ready = wait(list(by_line), timeout or None)
        if not ready:
            raise RuntimeError(f"DataLoader timed out after {timeout} seconds")
        lost = []
        for line in ready:
            worker = by_line[line]
            try:
                answer = self._lines[worker].receive()
            except (EOFError, OSError):
                lost.append(worker)
                continue
            number, value, loaded = parcels.unpacked(answer)
            if loaded:
                self._nursery.preload()
            return worker, number, value
        raise self._lost(lost)

    def _lost(self, workers: Sequence[int]) -> RuntimeError:
        """The error for workers that are gone."""
        ends = [(self._processes[worker], self._nursery.exit_code(self._processes[worker])) for worker in workers]
        for worker in workers:
            self._processes[worker] = 0
        pids = ", ".join(str(process) for process, _ in ends)
        how = ", ".join(
            f"killed by signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}" for _, code in ends
        )
        return RuntimeError(f"DataLoader worker (pid(s) {pids}) exited unexpectedly: {how}")

    @property
    def processes(self) -> list[int]:
        return [process for process in self._processes if process]

    def end(self) -> None:
        """End all workers and wait until they have."""
        for line in self._lines:
            line.close()
        processes, self._processes = self.processes, []
        if self._nursery.owner == os.getpid():
            for process in processes:
                with contextlib.suppress(RuntimeError, OSError):
                    self._nursery.exit_code(process)
