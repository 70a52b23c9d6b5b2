"""The registry's section: `check`, `generate` and `show` on synthetic registries of three sizes.

Every limit is a ratio to something that runs beside it: plain YAML loading, `check`, or the import of the two
libraries that any such program needs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Command, Runs, ratio, run, take_turns
from tables import Row, Section, Times

HOME = Path(__file__).resolve().parents[1]
SMALL, MIDDLE, LARGE = 1_000, 2_000, 4_000
OUTPUT = "adapter"

_LOAD_ALONE = """
import os, sys, yaml
for folder, _, names in os.walk(sys.argv[1]):
    for name in filter(lambda name: name.endswith(".yaml"), names):
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            yaml.load(stream, Loader=yaml.CSafeLoader)
"""
_IMPORT_ALONE = "import yaml, pydantic"


def measure(folder: Path, rounds: int) -> Section:
    """All rows, with registries made below `folder`."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(HOME / "generator"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    roots = {count: folder / f"registry-{count}" for count in (SMALL, MIDDLE, LARGE)}
    for count, root in roots.items():
        making = [sys.executable, str(Path(__file__).with_name("synthetic.py")), str(root), str(count)]
        subprocess.run(making, env=environment, check=True)
    written: list[int] = []
    commands: dict[str, Command] = {}
    for count, root in roots.items():
        commands |= _batch(count, root, written)
    runs = take_turns(commands, environment, rounds)
    shown, first = _show(roots[LARGE], environment, rounds)
    check, generate = runs[f"check {LARGE}"], runs[f"generate {LARGE}"]
    rows = [
        Row("check : yaml.load(CSafeLoader)", ratio(check, runs[f"load {LARGE}"]), 3.0),
        Row("generate, everything : check", ratio(generate, check), 2.0),
        Row("files written by generate, nothing changed", max(written), 0),
        Row(f"check, from {SMALL} to {LARGE} entries", ratio(check, runs[f"check {SMALL}"]), 4.4),
        Row(f"generate, from {SMALL} to {LARGE} entries", ratio(generate, runs[f"generate {SMALL}"]), 4.4),
        Row("show NAME : import yaml, pydantic", ratio(shown["show"], shown["import"]), 2.0),
    ]
    columns = ("load", "check", "generate", "unchanged")
    times = Times(
        ("entries", *columns),
        [(count, *(runs[f"{column} {count}"].seconds for column in columns)) for count in roots],
    )
    notes = [
        f"registries in {folder.parent}, {rounds} rounds, medians; `least … most` shows how even they were",
        f"peak memory at {LARGE} entries: check {_megabytes(check)}, generate {_megabytes(generate)}",
        f"first show at {LARGE} entries, which builds the index: {first:.2f} s; "
        f"after it: {shown['show'].seconds * 1000:.0f} ms, the imports alone {shown['import'].seconds * 1000:.0f} ms",
    ]
    return Section("registry", rows, times, notes)


def _batch(count: int, root: Path, written: list[int]) -> dict[str, Command]:
    """The commands over all entries: `generate` first into nothing, then once more with nothing to do."""
    before: dict[Path, tuple[int, int]] = {}

    def look() -> None:
        before.clear()
        before.update(_state(root))

    def compare() -> None:
        now = _state(root)
        written.append(len({path for path in now.keys() | before.keys() if now.get(path) != before.get(path)}))

    return {
        f"load {count}": Command([sys.executable, "-c", _LOAD_ALONE, str(root / "mappings")]),
        f"check {count}": Command(_mapspore("check", root)),
        f"generate {count}": Command(_mapspore("generate", root), before=lambda: _set_aside(root)),
        f"unchanged {count}": Command(_mapspore("generate", root), before=look, after=compare),
    }


def _show(root: Path, environment: dict[str, str], rounds: int) -> tuple[dict[str, Runs], float]:
    """`show` with a ready index beside the imports, and the time of the first `show`, which builds it."""
    name = max(path.relative_to(root / "mappings").as_posix() for path in (root / "mappings").rglob("*.yaml"))
    argv = [*_mapspore("show", root), name.removesuffix(".yaml").replace("/", ".")]
    first = run(argv, environment)
    commands = {"import": Command([sys.executable, "-c", _IMPORT_ALONE]), "show": Command(argv)}
    return take_turns(commands, environment, max(3 * rounds, 3)), first.seconds


def _mapspore(command: str, root: Path) -> list[str]:
    return [sys.executable, "-m", "mapspore", command, "--root", str(root)]


def _set_aside(root: Path) -> None:
    """Takes the output away without deleting it: file systems are slow to create files right after that."""
    if (root / OUTPUT).exists():
        (root / OUTPUT).rename(tempfile.mkdtemp(prefix="old-", dir=root.parent))


def _state(root: Path) -> dict[Path, tuple[int, int]]:
    """Every file with what changes when it is written or replaced."""
    files = (path for path in root.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in files}


def _megabytes(runs: Runs) -> str:
    return f"{runs.peak / 2**20:.0f} MB"
