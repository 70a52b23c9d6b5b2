"""Starts the ranks of a job on this machine: `python -m torchspore.launch --nproc 4 script.py`. In: a program and the
number of ranks. Out: their output, line by line with the rank before it, and the exit code of the first rank that
failed. However the launcher ends, its ranks end with it: it ends them itself, or, where it is killed, a guard does
that waits for its end. It needs Python only; nothing of MindSpore is imported here.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib.util
import os
import queue
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NoReturn, TypeAlias

from torchspore import _guard

NAME = "torchspore.launch"
GRACE = 3.0  # seconds that a rank has to end after it was asked to
ERROR_LINES = 100  # lines of a rank's errors that are kept, to be shown again at the end from its last trace on
CHATTER = (b"[INFO] ", b"[WARNING] ")  # what MindSpore's threads say while a process ends
QUIET = {"GLOG_v": "3"}  # MindSpore tells errors only, unless somebody asked for more: else it buries the output
FEW = 10  # as many are shown if there is no trace
LONGEST = 1 << 20  # bytes of a line without an end
PIPE = 1 << 16  # bytes that a pipe holds at most
LOOK = 0.2  # seconds until a reader looks whether its rank still runs
_NAMES = {number.value: number.name for number in signal.Signals}
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
PR_SET_PDEATHSIG = 1  # of Linux: the signal that a process gets when the one that started it has ended
_EXAMPLE = f"""MindSpore logs errors only, unless GLOG_v is set.

example:
  python -m {NAME} --nproc 4 train.py --epochs 3
  python -m {NAME} --nproc 8 --nnodes 2 --node-rank 0 --master-addr 10.0.0.1 train.py
"""
_TORCHRUN = {  # the same options as torchrun spells them
    "--nproc-per-node": "nproc",
    "--nproc_per_node": "nproc",
    "--node_rank": "node_rank",
    "--master_addr": "master_addr",
    "--master_port": "master_port",
}


class Unusable(Exception):
    """A command line that cannot be followed. The sentence says why."""


@dataclass
class Rank:
    """One process of the job."""

    number: int
    process: subprocess.Popen[bytes]
    errors: deque[bytes] = field(default_factory=lambda: deque(maxlen=ERROR_LINES))
    readers: list[threading.Thread] = field(default_factory=list)

    def signal(self, number: int) -> None:
        """Reach the rank and whatever it has started: it leads a process group of its own."""
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it may have ended already
            os.killpg(self.process.pid, number)


Events: TypeAlias = "queue.SimpleQueue[Rank | signal.Signals]"
"""Ranks that have ended and signals that have come, in this order."""


class Output:
    """Where lines of all ranks go. A line is written as a whole, so that no two of them mix."""

    def __init__(self, size: int) -> None:
        self._width = len(str(size - 1))
        self._lock = threading.Lock()
        self.closed = threading.Event()

    def write(self, rank: int, line: bytes, stream: IO[bytes]) -> None:
        prefix = f"[rank {rank:>{self._width}}] ".encode()
        with self._lock:
            try:
                stream.write(prefix + line + b"\n")
                stream.flush()
            except (BrokenPipeError, ValueError):
                self.closed.set()  # whoever read it has gone


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    with socket.socket() as reserving:
        try:
            command = _command(options)
            environments = _environments(options, reserving)
        except Unusable as reason:
            print(f"{NAME}: {reason}", file=sys.stderr)
            return 2
        return run(command, environments)


def run(command: Sequence[str], environments: Sequence[dict[str, str]]) -> int:
    """Start one process per environment and wait for all of them, or for the first that fails."""
    events: Events = queue.SimpleQueue()
    for number in ENDING:  # set before the first rank starts; a shell's background jobs would ignore some of them
        signal.signal(number, lambda received, frame: events.put(signal.Signals(received)))
    output = Output(int(environments[0]["WORLD_SIZE"]))
    ranks: list[Rank] = []
    with _guarded() as tell:
        try:
            for environment in environments:
                ranks.append(_start(command, environment))
                tell(ranks[-1].process.pid)
            for rank in ranks:  # threads come last: a process with threads is not safely copied
                _listen(rank, output, events)
            return _wait(ranks, output, events)
        finally:
            _end(ranks, events)


@contextlib.contextmanager
def _guarded() -> Iterator[Callable[[int], None]]:
    """A process beside this one that ends the process groups that it is told of, if this one ends without having done
    so. It has a session of its own: what ends this process from outside shall not reach it."""
    guard = subprocess.Popen(
        [sys.executable, "-E", "-S", _guard.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    )
    assert guard.stdin is not None
    pipe = guard.stdin

    def tell(group: int) -> None:
        with contextlib.suppress(BrokenPipeError):  # whoever has ended the guard has chosen to be without one
            print(group, file=pipe, flush=True)

    try:
        yield tell
    finally:
        with contextlib.suppress(BrokenPipeError):
            print(_guard.DONE, file=pipe, flush=True)
            pipe.close()
        guard.wait()


def _start(command: Sequence[str], environment: dict[str, str]) -> Rank:
    process = subprocess.Popen(
        command,
        env=QUIET | os.environ | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_end_with(os.getpid()),
    )
    return Rank(int(environment["RANK"]), process)


def _end_with(launcher: int) -> Callable[[], None] | None:
    """What a new process does first, so that it ends with the launcher even before the guard knows of it. Only Linux
    has something for it."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)

    def tie() -> None:
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != launcher:  # it has ended just now
            os._exit(1)

    return tie


def _listen(rank: Rank, output: Output, events: Events) -> None:
    process = rank.process
    assert process.stdout is not None and process.stderr is not None
    for pipe, stream in ((process.stdout, sys.stdout.buffer), (process.stderr, sys.stderr.buffer)):
        reader = threading.Thread(target=_read, args=(rank, pipe, stream, output), daemon=True)
        reader.start()
        rank.readers.append(reader)
    threading.Thread(target=_report, args=(rank, events), daemon=True).start()


def _report(rank: Rank, events: Events) -> None:
    """Each rank is waited for at once, so that the order of events is the order in which ranks ended."""
    rank.process.wait()
    events.put(rank)


def _read(rank: Rank, pipe: IO[bytes], stream: IO[bytes], output: Output) -> None:
    for line in _lines(_pieces(rank, pipe)):
        if stream is sys.stderr.buffer:
            rank.errors.append(line)
        output.write(rank.number, line, stream)


def _pieces(rank: Rank, pipe: IO[bytes]) -> Iterator[bytes]:
    """All that a rank prints. A process that left the rank's session may keep the pipe open after its end; then what
    was in the pipe at that moment is the last."""
    rest = PIPE
    while rest > 0:
        over = rank.process.returncode is not None
        if not select.select([pipe], [], [], 0 if over else LOOK)[0]:
            if over:
                return
            continue
        piece = os.read(pipe.fileno(), PIPE)
        if not piece:
            return
        rest -= len(piece) if over else 0
        yield piece


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Whole lines, without their end. Of a line that was written over again and again, as progress bars do, what a
    terminal would show at last."""
    begun = b""
    for piece in pieces:
        *whole, begun = (begun + piece).split(b"\n")
        for line in whole:
            yield line.rstrip(b"\r").rpartition(b"\r")[2]
        if len(begun) > LONGEST:
            yield begun
            begun = b""
    if begun:
        yield begun


def _wait(ranks: Sequence[Rank], output: Output, events: Events) -> int:
    running = {rank.number for rank in ranks}
    while running:
        try:
            event = events.get(timeout=0.5)
        except queue.Empty:
            if output.closed.is_set():
                return 128 + signal.SIGPIPE
            continue
        if isinstance(event, signal.Signals):
            _end(ranks, events)
            print(f"{NAME}: all ranks were ended by {event.name}.", file=sys.stderr)
            return 128 + event
        running.discard(event.number)
        if event.process.returncode != 0:
            _end(ranks, events)
            return _failed(event)
    _drain(ranks, events)
    return 0


def _failed(rank: Rank) -> int:
    """Say again, after everything else, what the rank that failed had to say."""
    code = rank.process.returncode
    how = f"was ended by {_NAMES.get(-code, f'signal {-code}')}" if code < 0 else f"failed with exit code {code}"
    lines = [line for line in rank.errors if not line.startswith(CHATTER)]
    traces = [at for at, line in enumerate(lines) if line.startswith(b"Traceback (")]
    shown = lines[traces[-1] :] if traces else lines[-FEW:]
    closing = "its last errors:" if shown else "it printed no error."
    errors = sys.stderr.buffer
    errors.write(f"{NAME}: rank {rank.number} {how}, and the others were ended; {closing}\n".encode())
    errors.writelines(b"  " + line + b"\n" for line in shown)
    errors.flush()
    return 128 - code if code < 0 else code


def _end(ranks: Sequence[Rank], events: Events) -> None:
    """End what still runs: ask, wait a little, and insist. A second interruption shortens the wait."""
    for rank in ranks:
        rank.signal(signal.SIGTERM)
    ends = time.monotonic() + GRACE
    while any(rank.process.poll() is None for rank in ranks) and time.monotonic() < ends:
        try:
            if isinstance(events.get(timeout=0.05), signal.Signals):
                break
        except queue.Empty:
            continue
    for rank in ranks:
        rank.signal(signal.SIGKILL)
        rank.process.wait()
    _drain(ranks, events)


def _drain(ranks: Sequence[Rank], events: Events) -> None:
    """Let what was printed arrive, however busy the machine is. An interruption ends this: nobody may be reading."""
    readers = [reader for rank in ranks for reader in rank.readers]
    while any(reader.is_alive() for reader in readers):
        try:
            if isinstance(events.get(timeout=0.05), signal.Signals):
                return
        except queue.Empty:
            continue


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{NAME}: {message}.\n  python -m {NAME} --help shows an example\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"python -m {NAME}",
        description="Start the ranks of a job on this machine, with the environment that torchrun would set.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--nproc", type=int, default=1, metavar="N", help="ranks on this machine (1)")
    add("--nnodes", type=int, default=1, metavar="N", help="machines of the job (1)")
    add("--node-rank", type=int, default=0, metavar="I", help="which of them this is, from 0 (0)")
    add("--master-addr", metavar="HOST", help="the machine of rank 0 (this one)")
    add("--master-port", type=int, metavar="PORT", help="a free port there (29500, or any if there is one machine)")
    for other, meant in _TORCHRUN.items():
        add(
            other,
            dest=meant,
            type=str if meant == "master_addr" else int,
            help=argparse.SUPPRESS,
            default=argparse.SUPPRESS,
        )
    add("--debug", action="store_true", help="check before each collective that all ranks make the same call")
    add("-m", "--module", action="store_true", help="run a module, as python -m does")
    add("program", metavar="script", help="the script, or with -m the module")
    add("arguments", nargs=argparse.REMAINDER, metavar="...", help="its own arguments")
    return parser


def _command(options: argparse.Namespace) -> list[str]:
    """What each rank runs."""
    program: str = options.program
    if options.module:
        if importlib.util.find_spec(program.partition(".")[0]) is None:
            raise Unusable(f"there is no module {program!r}.")
        return [sys.executable, "-u", "-m", program, *options.arguments]
    if not Path(program).exists():
        raise Unusable(f"there is no script {program!r}.")
    return [sys.executable, "-u", program, *options.arguments]


def _environments(options: argparse.Namespace, reserving: socket.socket) -> list[dict[str, str]]:
    """What each rank is told: who it is and where rank 0 is."""
    if os.environ.get("MS_ROLE"):
        raise Unusable("MS_ROLE is set, so msrun has started this process; run the script itself, or unset MS_ROLE.")
    if options.nproc < 1 or options.nnodes < 1:
        raise Unusable("--nproc and --nnodes must be at least 1.")
    if not 0 <= options.node_rank < options.nnodes:
        raise Unusable(f"--node-rank must be between 0 and {options.nnodes - 1}.")
    if options.nnodes > 1 and options.master_addr is None:
        raise Unusable("with several machines, --master-addr must name the one of rank 0.")
    alone = options.nnodes == 1
    port = options.master_port or (_reserved_port(reserving) if alone else 29500)
    shared = {
        "MASTER_ADDR": options.master_addr or "127.0.0.1",
        "MASTER_PORT": str(port),
        "WORLD_SIZE": str(options.nproc * options.nnodes),
        "LOCAL_WORLD_SIZE": str(options.nproc),
        "GROUP_RANK": str(options.node_rank),
        "GROUP_WORLD_SIZE": str(options.nnodes),
    }
    if options.debug:
        shared["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
    if options.nproc > 1:
        shared["OMP_NUM_THREADS"] = os.environ.get("OMP_NUM_THREADS", "1")
    first = options.node_rank * options.nproc
    return [shared | {"RANK": str(first + local), "LOCAL_RANK": str(local)} for local in range(options.nproc)]


def _reserved_port(reserving: socket.socket) -> int:
    """A port that the system gives to nobody else while the socket is open: it is bound, but not listened on, so that
    rank 0 can still serve there."""
    reserving.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserving.bind(("127.0.0.1", 0))
    return int(reserving.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
