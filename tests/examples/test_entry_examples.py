"""The programs beside the entries run: with torch as they were, with the adapter after, and print the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mapspore.cases.example_programs import programs
from mapspore.cases.programs import RANKS, ranks_of
from mapspore.entry.load import BEFORE as BEFORE_SUFFIX
from mapspore.entry.load import SUFFIX
from mapspore.pipeline import load_registry
from mapspore.verify.programs.run import run_all

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).parents[2]
MAPPINGS, RUNS = HOME / "mappings", HOME / "runs"
BEFORE = sorted(MAPPINGS.rglob("*.before.py"))
ABOUT = {
    str(HOME / mapping.source.path.replace(SUFFIX, BEFORE_SUFFIX)): mapping
    for mapping in load_registry(HOME).registry.mappings
}


def unable() -> set[str]:
    """The programs that have no kernel here, as their records say."""
    told = {
        path: RUNS / path.relative_to(MAPPINGS).parent / path.name.replace(".before.py", ".json") for path in BEFORE
    }
    return {str(path) for path, file in told.items() if json.loads(file.read_text("utf-8")).get("after", ()) is None}


def runs_here(path: str) -> bool:
    """Whether a program is about an API that was verified on this platform, by some counterpart or as a whole."""
    mapping = ABOUT[path]
    return any(known.state == "verified" for known in (mapping.evidence, *(c.evidence for c in mapping.counterparts)))


def texts(side: str) -> dict[str, str]:
    """By path of the program for torch: what is shown of one side, a file or derived."""
    return {str(path): str(getattr(programs(ABOUT[str(path)]), side)) for path in BEFORE}


def test_there_are_examples_on_ranks_and_in_one_process() -> None:
    on_ranks = [text for text in texts("before").values() if ranks_of(text) == RANKS]
    assert len(on_ranks) >= 10 and len(BEFORE) - len(on_ranks) >= 20


def test_before_and_after_print_the_same() -> None:
    before, after = texts("before"), texts("after")
    assert {name: ranks_of(text) for name, text in before.items()} == {n: ranks_of(text) for n, text in after.items()}
    wanted = run_all(before)
    assert set(wanted) == set(before)
    assert all(len(lines) >= ranks_of(before[name]) for name, lines in wanted.items())
    assert unable() == {path for path in before if not runs_here(path)}
    assert run_all(after) == {name: lines for name, lines in wanted.items() if name not in unable()}
