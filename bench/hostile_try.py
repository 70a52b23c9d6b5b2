"""One try of the random search. In: a number. Out: what was wrong, if anything: a lost byte, a traceback, a hang, a
file where none belongs.

The command runs twice in folders that are equal. Once it is left alone: what it makes is what it should make. Once a
signal or a full disk comes at some moment; then every file must be the old one or the new one, and a second run must
come to the same end as the one that was left alone. Commands run in forks of this process, which has loaded them.
"""

from __future__ import annotations

import io
import json
import os
import resource
import select
import signal
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from hostile_inputs import Command, build

AT_A_CHANGE = 0.6
"""How often the moment is one at which the command changes something; it mostly reads."""
LIMIT = 60.0
"""Seconds after which a command hangs; it takes less than one."""
STAGED = ".mapspore-staging-"
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL")
MOMENTS = ("none", "none", *SIGNALS, *SIGNALS, "full disk", "nobody reads")
SMALL_DISK = 2000
"""Bytes that a file may have where the disk is full."""
NAMES = frozenset(signal.Signals[name] for name in SIGNALS)
COUNTED = frozenset({
    "open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "os.link", "os.symlink",
    "os.truncate",
    "os.scandir", "os.listdir", "os.utime", "compile", "subprocess.Popen",
})  # fmt: skip
CHANGING = frozenset(
    {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "os.link", "os.symlink"}
)
Contents = dict[bytes, tuple[str, bytes]]
"""By path: what stands there, and what it holds."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended; no code where it hung."""

    code: int | None
    output: str
    events: int
    changing: tuple[int, ...]
    """The numbers of the events at which it changed something."""
    outside: tuple[str, ...]
    left: bool
    """Whether processes of it were still there."""


@dataclass(slots=True)
class Try:
    """What was tried, and what was wrong."""

    number: int
    command: str = ""
    moment: str = ""
    runs: int = 0
    wrote: bool = False
    between: bool = False
    """Whether the interruption left some files old and some new."""
    faults: list[str] = field(default_factory=list)


def attempt(seed: int, number: int, folder: Path) -> Try:
    """The try of this number; the same seed and number give the same one."""
    chance = Random(f"{seed}/{number}")
    key, moment, part = chance.getrandbits(64), chance.choice(MOMENTS), chance.random()
    at_a_change = chance.random() < AT_A_CHANGE
    made = Try(number, moment=moment)
    with (
        tempfile.TemporaryDirectory(prefix="try-", dir=folder) as one,
        tempfile.TemporaryDirectory(dir=folder) as other,
    ):
        alone = _Sandbox(Path(one), key)
        made.command = " ".join(alone.command.argv)
        reference = alone.run()
        made.runs += 1
        made.faults += _judged(reference, alone, "left alone")
        wanted = alone.contents()
        made.wrote = wanted != alone.before
        made.faults += list(_out_of_place(alone.before, wanted, alone.command))
        if moment != "none" and not made.faults:
            _interrupted(made, _Sandbox(Path(other), key), moment, _moment(reference, part, at_a_change), wanted)
    return made


def _moment(reference: Ran, part: float, at_a_change: bool) -> int:
    """The number of an event: any, or one around which something is changed."""
    if at_a_change and reference.changing:
        number = int(part * 2 * len(reference.changing))
        return reference.changing[number // 2] + number % 2
    return 1 + int(part * reference.events)


def _interrupted(made: Try, box: _Sandbox, moment: str, at: int, wanted: Contents) -> None:
    ran = box.run(moment, at)
    made.runs += 1
    made.faults += _judged(ran, box, f"{moment} at event {at}")
    reached = box.contents()
    made.between = reached not in (box.before, wanted)
    made.faults += list(_lost(box.before, wanted, reached, moment))
    again = box.run()
    made.runs += 1
    made.faults += _judged(again, box, f"again after {moment} at event {at}")
    now = box.contents()
    for path in sorted(now.keys() | wanted.keys()):
        if now.get(path) != wanted.get(path):
            made.faults.append(f"after {moment} at event {at}, a second run leaves {path!r} other than one run does")


class _Sandbox:
    """The folder of a run: where it works, and where its home, its cache and its temporary files are."""

    def __init__(self, base: Path, key: int) -> None:
        self.base = base
        self.work = base / "work"
        for name in ("work", "home", "cache", "tmp"):
            (base / name).mkdir()
        self.command: Command = build(Random(key), self.work)
        self.before = self.contents()

    def contents(self) -> Contents:
        return dict(_contents(os.fsencode(self.work)))

    def run(self, moment: str = "none", at: int = 0) -> Ran:
        reports, told = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reports)
                _be_the_command(self, moment, at, told)
            finally:
                os._exit(99)
        os.close(told)
        code, left = _await(child)
        with open(reports, encoding="utf-8") as stream:
            said = [json.loads(line) for line in stream if line.endswith("\n")]
        events, changing = next(((each["events"], each["changing"]) for each in said if "events" in each), (0, ()))
        outside = tuple(each["outside"] for each in said if "outside" in each)
        output = (self.base / "output").read_text("utf-8", "replace")
        return Ran(code, output, events, tuple(changing), outside, left)


def _await(child: int) -> tuple[int | None, bool]:
    """Its exit code, None if it had to be ended; and whether anything of its group was left."""
    handle = os.pidfd_open(child)
    ended, _, _ = select.select([handle], [], [], LIMIT)
    os.close(handle)
    if not ended:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    left = True
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        left = False
    return (os.waitstatus_to_exitcode(status) if ended else None), left


def _be_the_command(box: _Sandbox, moment: str, at: int, told: int) -> None:
    """In the fork: surroundings, then the command, then the end, as a process of its own would have them."""
    os.setsid()
    for number in NAMES - {signal.SIGKILL}:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    os.chdir(box.work)
    os.environ.update(HOME=str(box.base / "home"), XDG_CACHE_HOME=str(box.base / "cache"), TMPDIR=str(box.base / "tmp"))
    tempfile.tempdir = None
    sys.dont_write_bytecode = True
    output = os.open(box.base / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 2)
    if moment == "nobody reads":
        reading, writing = os.pipe()
        os.dup2(writing, 1)
        os.close(reading)
        os.close(writing)
    else:
        os.dup2(output, 1)
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(number, "w"), "utf-8") for number in (1, 2))
    if moment == "full disk":
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_DISK, SMALL_DISK))
    watch = _Watch(str(box.base), told, getattr(signal, moment) if moment in SIGNALS else None, at)
    sys.addaudithook(watch)
    from mapspore.cli.main import main

    code = main(list(box.command.argv))
    watch.end()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 120
    os._exit(code)


class _Watch:
    """Counts what the command does, sends it the signal when its time has come, and tells what it touches outside."""

    def __init__(self, base: str, told: int, number: signal.Signals | None, at: int) -> None:
        self._base, self._told, self._number, self._at = base, told, number, at
        self._pid, self._events, self._busy = os.getpid(), 0, False
        self._changing: list[int] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event not in COUNTED or self._busy or os.getpid() != self._pid:
            return
        self._busy = True
        try:
            self._events += 1
            if self._number is not None and self._events == self._at:
                os.kill(self._pid, self._number)
            for place in _changed(event, arguments):
                if place.startswith(f"{self._base}/work/"):
                    self._changing.append(self._events)
                if not place.startswith((self._base, "/dev/", "/proc/")):
                    self._tell({"outside": f"{event} {place}"})
        finally:
            self._busy = False

    def end(self) -> None:
        self._busy = True
        self._tell({"events": self._events, "changing": self._changing})

    def _tell(self, what: dict[str, Any]) -> None:
        os.write(self._told, (json.dumps(what) + "\n").encode())


def _changed(event: str, arguments: tuple[Any, ...]) -> Iterator[str]:
    """The places that an event changes."""
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, str | bytes) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
            yield os.path.abspath(os.fsdecode(path))
    elif event in CHANGING:
        count = 2 if event in ("os.rename", "os.link") else 1
        for path in arguments[1:2] if event == "os.symlink" else arguments[:count]:
            if isinstance(path, str | bytes | os.PathLike):
                yield os.path.abspath(os.fsdecode(path))


def _contents(folder: bytes) -> Iterator[tuple[bytes, tuple[str, bytes]]]:
    for below, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != b".git"]
        for name in (*folders, *files):
            path = os.path.join(below, name)
            mode = os.lstat(path).st_mode
            short = os.path.relpath(path, folder)
            if stat.S_ISLNK(mode):
                yield short, ("link", os.readlink(path))
            elif stat.S_ISREG(mode):
                with open(path, "rb") as stream:
                    yield short, ("file", stream.read())
            elif not stat.S_ISDIR(mode):
                yield short, ("other", b"")


def _judged(ran: Ran, box: _Sandbox, when: str) -> list[str]:
    faults = [f"{when}: touches what lies outside: {each}" for each in ran.outside]
    if ran.code is None:
        faults.append(f"{when}: hangs")
    if ran.code in (70, 99) or "Traceback (most recent call last)" in ran.output or "Exception ignored" in ran.output:
        faults.append(f"{when}: fails, {ran.code}: {ran.output[-600:]}")
    if ran.left:
        faults.append(f"{when}: processes are left")
    home = [path for path in (box.base / "home").rglob("*") if path.is_file()]
    faults += [f"{when}: writes {path.name} into the home folder" for path in home]
    return faults


def _out_of_place(before: Contents, after: Contents, command: Command) -> Iterator[str]:
    allowed = tuple(os.fsencode(folder) + b"/" for folder in command.writes)
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path) and not path.startswith(allowed or (b"\0",)):
            yield f"changes {path!r}"
        if STAGED.encode() in path:
            yield f"leaves {path!r}"


def _lost(before: Contents, wanted: Contents, now: Contents, moment: str) -> Iterator[str]:
    """Every file is the old or the new one; only a process that was killed may leave what it had staged."""
    for path in sorted(before.keys() | wanted.keys() | now.keys()):
        found = now.get(path)
        if STAGED.encode() in path:
            if moment != "SIGKILL":
                yield f"{moment}: leaves {path!r}"
        elif found not in (before.get(path), wanted.get(path)):
            yield f"{moment}: {path!r} is neither old nor new"
