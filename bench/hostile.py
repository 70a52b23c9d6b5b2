"""A random search over command, input and moment of interruption. It ends with no lost byte, no traceback, no hang and
no file outside the output folders, or tells where one was.

    python bench/hostile.py                       2,000 tries
    python bench/hostile.py --seed 7 --only 123   one try again
    python bench/hostile.py --seconds 600         as many as ten minutes allow
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from pkgutil import walk_packages

from hostile_try import Try, attempt
from tables import Row, Section, Times

TRIES = 2000
SECONDS = 600.0
SEED = 1
CHUNK = 20
STAGES = ("answer", "author", "check", "migrate", "scan", "write")
"""What commands import when they need it."""


@dataclass(slots=True)
class Tally:
    """What was tried, by command and by moment, and every fault."""

    tries: int = 0
    runs: int = 0
    writing: int = 0
    between: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    faulty: list[Try] = field(default_factory=list)

    def add(self, made: Try) -> None:
        self.tries += 1
        self.runs += made.runs
        self.writing += made.wrote
        self.between += made.between
        self.commands[made.command.split(" ")[0]] += 1
        self.moments[made.moment] += 1
        self.faulty += [made] if made.faults else []

    def lines(self, seed: int, seconds: float) -> Iterator[str]:
        yield f"tries: {self.tries}; runs: {self.runs}; seed {seed}; {seconds:.0f} s"
        yield f"commands that wrote: {self.writing}; stopped between the old and the new state: {self.between}"
        yield "commands: " + ", ".join(f"{name} {count}" for name, count in sorted(self.commands.items()))
        yield "moments: " + ", ".join(f"{name} {count}" for name, count in sorted(self.moments.items()))
        for made in self.faulty:
            yield f"FAULT in try {made.number}: mapspore {made.command}"
            yield from (f"  {fault}" for fault in made.faults)
        yield f"faults: {len(self.faulty)}"


def search(seed: int, numbers: range, folder: Path, jobs: int, seconds: float = SECONDS) -> Tally:
    """All tries of these numbers, or as many as the time allows."""
    tally, ends = Tally(), time.monotonic() + seconds
    if jobs == 1:
        _load()
        for number in numbers:
            if time.monotonic() > ends:
                break
            tally.add(attempt(seed, number, folder))
        return tally
    with ProcessPoolExecutor(jobs, get_context("fork"), initializer=_load) as pool:
        waiting = iter(numbers)
        while time.monotonic() < ends and (chunk := [number for _, number in zip(range(CHUNK), waiting, strict=False)]):
            for made in pool.map(partial(attempt, seed, folder=folder), chunk):
                tally.add(made)
    return tally


def _load() -> None:
    """Everything that a command imports, once for all forks."""
    from mapspore.cli.main import COMMANDS

    for command in COMMANDS:
        import_module(f"mapspore.cli.commands.{command}")
    for stage in STAGES:
        package = import_module(f"mapspore.{stage}")
        for found in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(found.name)


def measure(folder: Path, rounds: int) -> Section:
    """The whole search, once whatever the number of rounds."""
    started = time.monotonic()
    tally = search(SEED, range(TRIES), folder, os.cpu_count() or 1)
    seconds = time.monotonic() - started
    rows = [Row("tries in ten minutes", tally.tries, TRIES, least=True), Row("faults", len(tally.faulty), 0)]
    times = Times(("tries", "all"), [(tally.tries, seconds)])
    return Section("hostile", rows, times, list(tally.lines(SEED, seconds)))


def main() -> int:
    parser = argparse.ArgumentParser(description="Search for inputs and moments that mapspore does not stand.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--tries", type=int, default=TRIES)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="when to stop (default 600)")
    parser.add_argument("--only", type=int, help="the number of one try")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    started = time.monotonic()
    memory = Path("/dev/shm")
    place = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="mapspore-hostile-", dir=place) as folder:
        numbers = range(args.tries) if args.only is None else range(args.only, args.only + 1)
        tally = search(args.seed, numbers, Path(folder), 1 if args.only is not None else args.jobs, args.seconds)
    print("\n".join(tally.lines(args.seed, time.monotonic() - started)))
    return 1 if tally.faulty else 0


if __name__ == "__main__":
    sys.exit(main())
