"""Whether the time of a scan grows with the text and no faster: every family of hostile programs at sizes n and 4n.

Both sizes are measured in turns within one process; the shortest time of each counts. A plan for `migrate` is not part
of it, nor is the start of the program.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tables import Row, Section, Times

HOME = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOME / "tests" / "hostile"))

LIMIT = 5.0
CHARACTERS = 400_000
"""About how long the larger text of a family is."""
FILES = 400


def measure(folder: Path, rounds: int) -> Section:
    from families import FAMILIES, TREES

    sizes = {name: _size(make) for name, make in FAMILIES.items()} | {name: FILES // 4 for name in TREES}
    rows, times = [], []
    for name, make in (FAMILIES | TREES).items():
        small, large = sizes[name], 4 * sizes[name]
        taken = {small: float("inf"), large: float("inf")}
        for _ in range(rounds):
            for size in taken:
                taken[size] = min(taken[size], _seconds(make(size), folder / f"{len(rows)}-{size}"))
        rows.append(Row(f"4n : n, {name}", taken[large] / taken[small], LIMIT))
        times.append((large, taken[small], taken[large]))
    notes = [f"{rounds} rounds; sizes so that the larger text has about {CHARACTERS} characters, or {FILES} files"]
    return Section("linear", rows, Times(("size", "n", "4n"), times), notes)


def _size(make: object) -> int:
    """The smaller size of a family."""
    per_line = sum(map(len, make(100).values())) / 100  # type: ignore[operator]
    return max(50, int(CHARACTERS / per_line / 4))


def _seconds(contents: dict[str, str], folder: Path) -> float:
    from mapspore.scan.files import find, read_all
    from mapspore.scan.ruleset import Ruleset, load_ruleset
    from mapspore.scan.run import scan

    folder.mkdir(exist_ok=True)
    for name, text in contents.items():
        (folder / name).write_text(text, "utf-8")
    known = load_ruleset(HOME)
    rules = Ruleset(known.data, known.digest)  # it remembers names
    files = find([str(folder)])[0]
    texts = read_all(files)
    started = time.process_time()
    scan(files, texts, rules, 1, False)
    return time.process_time() - started
