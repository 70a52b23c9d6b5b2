"""How fast `scan` is on real code: beside bare `ast.parse`, beside PaConvert, and with its cache; and its memory.

Everything is measured on one tree, deepspeed, in one run; only the memory on transformers, the largest of the three.
Then `migrate` runs over all three packages in both modes, and what must not happen is counted: files that no longer
parse, files that changed without using torch, and changes of a second run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from measure import Command, Crashed, Runs, Sample, ratio, run, take_turns
from real_code import PACKAGES, fetch, paconvert, parses
from tables import Row, Section, Times

HOME = Path(__file__).resolve().parents[1]
_PARSE_ALONE = """
import ast, gc, pathlib, sys, warnings
gc.disable()
warnings.simplefilter("ignore")
for path in pathlib.Path(sys.argv[1]).rglob("*.py"):
    try:
        ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        pass
"""


def measure(folder: Path, rounds: int) -> Section:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(HOME / "generator")}
    trees = {name: fetch(name, folder) for name in PACKAGES}
    tree = trees["deepspeed"]
    lines = sum(path.read_bytes().count(b"\n") for path in tree.rglob("*.py"))
    one, every = _scan(tree, "--jobs", "1", "--no-cache"), _scan(tree, "--no-cache")
    scan(one, environment)  # compiles the rules, once for all that follow
    commands = {
        "ast.parse": Command([sys.executable, "-c", _PARSE_ALONE, str(tree)]),
        "one core": Command(_quietly(one)),
        "all cores": Command(_quietly(every)),
        "first": Command(_quietly(_scan(tree)), before=lambda: _forget(folder)),
        "second": Command(_quietly(_scan(tree))),
    }
    runs = take_turns(commands, environment, rounds)
    _tell("PaConvert on deepspeed, a minute or two")
    other = _paconvert(folder, tree, environment)
    _tell("memory on transformers")
    peak = _peak(_scan(trees["transformers"], "--no-cache", "--format", "json"), environment)  # the longest report
    figures, faults = {}, {"parse": 0, "quiet": 0, "again": 0}
    for name, path in trees.items():
        figures[name] = scan(_scan(path, "--format", "json"), environment)
        for mode in ("adapter", "direct"):
            _tell(f"migrate {name}, mode {mode}" + (", several minutes" if name == "transformers" else ""))
            for fault, count in _migrated(path, mode, folder / f"{name}-{mode}", environment).items():
                faults[fault] += count
    rows = [
        Row("ast.parse : scan, one core (share of its speed)", ratio(runs["ast.parse"], runs["one core"]), 0.4, True),
        Row("PaConvert : scan, all cores", ratio(_repeated(other, rounds), runs["all cores"]), 8.0, True),
        Row("first scan : second, nothing changed", ratio(runs["first"], runs["second"]), 5.0, True),
        Row("MB of memory on transformers, all processes", peak // 2**20, 300),
        Row("rewritten files that do not parse", faults["parse"], 0),
        Row("changed files without torch", faults["quiet"], 0),
        Row("files that a second run changes", faults["again"], 0),
    ]
    names = ("ast.parse", "one core", "all cores", "first", "second")
    speeds = ", ".join(f"{name} {lines / runs[name].seconds / 1000:.0f}" for name in names[:3])
    notes = [
        f"deepspeed, {lines} lines, {rounds} rounds, PaConvert once ({other.seconds:.0f} s)",
        f"thousand lines a second: {speeds}",
        *(_figure(name, PACKAGES[name], summary) for name, summary in figures.items()),
    ]
    return Section("scan", rows, Times(("seconds", *names), [(lines, *(runs[name].seconds for name in names))]), notes)


def _tell(what: str) -> None:
    print(f"  {what}", file=sys.stderr)


def _scan(tree: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "mapspore", "scan", str(tree), "--root", str(HOME), *options]


def _quietly(argv: list[str]) -> list[str]:
    """The same, but findings are no failure: nothing counts."""
    return [*argv, "--ignore", "S"]


def scan(argv: list[str], environment: dict[str, str]) -> dict[str, int]:
    """The summary of a JSON report; empty for other formats."""
    done = subprocess.run(argv, env=environment, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise Crashed(f"{' '.join(argv)}\n{done.stderr.decode('utf-8', 'replace')}")
    return dict(json.loads(done.stdout)["summary"]) if "json" in argv else {}


def _forget(folder: Path) -> None:
    for kept in (folder / "cache").rglob("*.scan"):
        kept.unlink()


def _paconvert(folder: Path, tree: Path, environment: dict[str, str]) -> Sample:
    """One run of PaConvert over the same tree, as its users run it."""
    out = folder / "converted"
    argv = [str(paconvert(folder)), "-i", str(tree), "-o", str(out)]
    return run(argv, {key: value for key, value in environment.items() if key != "PYTHONPATH"})


def _repeated(sample: Sample, rounds: int) -> Runs:
    return Runs([sample] * rounds)


def _peak(argv: list[str], environment: dict[str, str]) -> int:
    """The most memory that a command and its children held together, shared pages counted once."""
    child = subprocess.Popen(argv, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0

    def watch() -> None:
        nonlocal most
        while child.poll() is None:
            most = max(most, sum(_resident(process) for process in (child.pid, *_children(child.pid))))
            time.sleep(0.1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    watcher.join()
    return most


def _children(process: int) -> list[int]:
    try:
        return [int(text) for text in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def _resident(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)


def _migrated(tree: Path, mode: str, copy: Path, environment: dict[str, str]) -> dict[str, int]:
    """Migrates a copy and counts what must not happen."""
    shutil.copytree(tree, copy, symlinks=True)
    argv = [sys.executable, "-m", "mapspore", "migrate", str(copy), "--mode", mode, "--root", str(HOME)]
    run([*argv, "--write", "--force"], environment)
    changed = []
    for path in sorted(tree.rglob("*.py")):
        new = copy / path.relative_to(tree)
        if path.read_bytes() != new.read_bytes():
            changed.append((path, new))
    broken = sum(parses(old) and not parses(new) for old, new in changed)
    quiet = sum(b"torch" not in old.read_bytes() for old, _ in changed)
    again = subprocess.run([*argv, "--check"], env=environment, capture_output=True, check=False)
    told = again.stderr.decode("utf-8")
    more = 0 if again.returncode == 0 else int(told.split(" of ")[0].split()[-1])
    shutil.rmtree(copy)
    return {"parse": broken, "quiet": quiet, "again": more}


def _figure(name: str, pinned: str, summary: dict[str, int]) -> str:
    uses, known, covered = summary["uses"], summary["known_uses"], summary["covered"]
    return (
        f"{pinned}: {summary['files']} files, {summary['lines']} lines, {uses} uses of {summary['apis']} APIs; "
        f"{known} with an entry ({100 * known / uses:.1f}%), {covered} of them covered by the adapter"
    )
