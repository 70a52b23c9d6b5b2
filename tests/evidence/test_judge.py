"""The number of the judge is raised when the way in which cases are run and compared changes.

Nothing can tell whether an edit of that code changes an outcome; so this asks whoever makes one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from mapspore.evidence.fingerprint import JUDGE
from mapspore.evidence.reach import SourceTree
from mapspore.evidence.source_files import SourceFiles

ROOT = Path(__file__).resolve().parents[2]
KNOWN = Path(__file__).with_name("judge.json")
ENTRANCES = (
    ("mapspore.verify.single.worker", "work"),
    ("mapspore.verify.collective.rank", "work"),
    ("mapspore.verify.collective.compare", "compare"),
)


def test_the_judge_is_the_one_that_its_number_stands_for(matches_file: Callable[[str, Path], None]) -> None:
    """If not: where an outcome can change by the edit, raise JUDGE and run `make verify`; then `pytest --update`."""
    now = {"judge": JUDGE, "code": SourceTree(SourceFiles(ROOT / "generator", "mapspore")).digest_of(ENTRANCES)}
    matches_file(json.dumps(now) + "\n", KNOWN)
