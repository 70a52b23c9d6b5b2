"""Runs the tests that start processes, wait or open a browser again and again on a busy machine, and counts.

In: the marker `processes`, which says which tests these are, and both environments of `make test`. Out: by test how
often it passed and how often it failed, what each failure said, and exit code 1 if there was one.

    python bench/under_load.py                        ten rounds beside two busy loops
    python bench/under_load.py --rounds 0 --whole 2   all of `make test`, twice, beside two busy loops
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

HOME = Path(__file__).resolve().parents[1]
BUSY = "while True: pass"
ENVIRONMENTS = {".venv": "processes and not frameworks", ".venv-verify": "processes and frameworks"}


@dataclass
class Tally:
    """By test, all cases of it together: how often it passed and failed, and the longest time that a case took."""

    passed: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    sayings: list[str] = field(default_factory=list)

    def add(self, report: Path) -> None:
        """Counts the report of one run of pytest."""
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name', '')}"
            test = name.partition("[")[0]
            faults = [part for part in case if part.tag in ("failure", "error")]
            (self.failed if faults else self.passed)[test] += 1
            self.seconds[test] = max(self.seconds.get(test, 0.0), float(case.get("time", 0)))
            self.sayings += [f"{name}\n{part.text or part.get('message', '')}" for part in faults]

    def add_run(self, name: str, good: bool, seconds: float, said: str) -> None:
        """Counts a run that is no single test."""
        (self.passed if good else self.failed)[name] += 1
        self.seconds[name] = max(self.seconds.get(name, 0.0), seconds)
        self.sayings += [] if good else [f"{name}\n{said}"]

    def lines(self) -> Iterator[str]:
        yield f"{'passed':>7} {'failed':>7} {'slowest':>9}  test"
        for test in sorted(self.seconds):
            yield f"{self.passed[test]:7} {self.failed[test]:7} {self.seconds[test]:7.1f} s  {test}"
        yield f"{self.passed.total():7} {self.failed.total():7} {'':9}  all"


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run_round(tally: Tally, folder: Path, environments: list[str]) -> None:
    """All tests with the marker once, in the environment that each needs."""
    for environment in environments:
        report = folder / f"{environment}.xml"
        report.unlink(missing_ok=True)
        command = [str(HOME / environment / "bin" / "python"), "-m", "pytest", "-n", "2", "--dist", "loadfile"]
        command += ["-m", ENVIRONMENTS[environment], f"--junitxml={report}"]
        done, seconds = run(command)
        if report.exists():
            tally.add(report)
        if done.returncode not in (0, 1) or not report.exists():
            tally.add_run(f"pytest in {environment}", False, seconds, (done.stdout + done.stderr)[-3000:])


def run(command: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    started = time.monotonic()
    done = subprocess.run(command, cwd=HOME, capture_output=True, encoding="utf-8", errors="replace")
    return done, time.monotonic() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10, help="how often these tests are run (default 10)")
    parser.add_argument("--whole", type=int, default=0, help="how often all of `make test` is run (default 0)")
    parser.add_argument("--loops", type=int, default=2, help="busy loops beside them (default 2)")
    parser.add_argument("--only", choices=ENVIRONMENTS, help="the tests of one environment")
    given = parser.parse_args()
    tally = Tally()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: the tally so far, and nothing left running
    try:
        with tempfile.TemporaryDirectory(prefix="mapspore-load-") as folder, busy_loops(given.loops):
            run_all(tally, Path(folder), given.rounds, given.whole, [given.only] if given.only else list(ENVIRONMENTS))
    except KeyboardInterrupt:
        tally.add_run("interrupted", False, 0.0, "The runs that had ended by then are counted.")
    print("\n".join(tally.lines()))
    for saying in tally.sayings:
        print(f"\n--- {saying}")
    return int(tally.failed.total() > 0)


def run_all(tally: Tally, folder: Path, rounds: int, whole: int, environments: list[str]) -> None:
    for number in range(rounds):
        started = time.monotonic()
        run_round(tally, folder, environments)
        told = f"round {number + 1} of {rounds}: {time.monotonic() - started:.0f} s"
        print(f"{told}, {tally.failed.total()} failures so far", file=sys.stderr, flush=True)
    for _ in range(whole):
        done, seconds = run(["make", "test"])
        tally.add_run("make test", done.returncode == 0, seconds, (done.stdout + done.stderr)[-20_000:])


if __name__ == "__main__":
    sys.exit(main())
