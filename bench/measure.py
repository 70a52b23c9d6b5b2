"""Runs commands in processes of their own and tells how long each took and how much memory it needed.

The commands of one measurement take turns, round by round, so that a machine that slows down meanwhile slows
all of them. Ratios are taken within a round; what is reported is the median.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median


class Crashed(Exception):
    """A measured command failed; the message is what it said."""


@dataclass(frozen=True, slots=True)
class Sample:
    seconds: float
    """From start to end, by the clock on the wall."""
    cpu: float
    """Seconds that it computed, in itself and in the kernel: the same on a busy machine."""
    peak: int
    """The largest resident size, in bytes."""


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and what to do before each run without counting it."""

    argv: Sequence[str]
    before: Callable[[], None] | None = None
    after: Callable[[], None] | None = None


@dataclass(slots=True)
class Runs:
    """The samples of one command, one per round."""

    samples: list[Sample] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return median(sample.seconds for sample in self.samples)

    @property
    def peak(self) -> int:
        return max(sample.peak for sample in self.samples)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How much longer one command took than another: in the median round, in the least and in the worst."""

    middle: float
    least: float
    most: float
    cpu: float
    """The same of the time that they computed."""


def run(argv: Sequence[str], environment: Mapping[str, str]) -> Sample:
    """One cold process, start to end."""
    started = time.perf_counter()
    child = subprocess.Popen(argv, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    child.stderr.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Crashed(f"{' '.join(argv)}\nended with {child.returncode}\n{said.decode('utf-8', 'replace')}")
    return Sample(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def take_turns(commands: Mapping[str, Command], environment: Mapping[str, str], rounds: int) -> dict[str, Runs]:
    """Every command once per round, in the given order."""
    runs = {name: Runs() for name in commands}
    for number in range(1, rounds + 1):
        print(f"  round {number} of {rounds}: {', '.join(commands)}", file=sys.stderr)
        for name, command in commands.items():
            if command.before is not None:
                command.before()
            runs[name].samples.append(run(command.argv, environment))
            if command.after is not None:
                command.after()
    return runs


def ratio(one: Runs, other: Runs) -> Ratio:
    pairs = list(zip(one.samples, other.samples, strict=True))
    found = [mine.seconds / theirs.seconds for mine, theirs in pairs]
    return Ratio(median(found), min(found), max(found), median(mine.cpu / theirs.cpu for mine, theirs in pairs))
