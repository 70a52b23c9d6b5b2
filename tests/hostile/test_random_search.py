"""A slice of the random search of `bench/hostile.py`, and that it sees what it searches for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import hostile_try
from hostile import search
from hostile_inputs import CODE, ELSEWHERE, OUT, Command
from hostile_try import attempt
from mapspore.cli import main as command_line

pytestmark = pytest.mark.processes

SEED, TRIES = 20, 24
Main = Callable[[Sequence[str]], int]


def test_a_slice_of_the_search_finds_nothing(tmp_path: Path, record_property: Callable[..., None]) -> None:
    tally = search(SEED, range(TRIES), tmp_path, 1, float("inf"))
    assert (tally.tries, tally.faulty) == (TRIES, [])
    assert len(tally.commands) > 5 and len(tally.moments) > 5 and tally.writing
    record_property("inputs", tally.runs)
    assert not list(tmp_path.iterdir())


def test_the_same_numbers_give_the_same_try(tmp_path: Path) -> None:
    first, second = (attempt(SEED, 3, tmp_path) for _ in range(2))
    assert (first.command, first.moment, first.runs) == (second.command, second.moment, second.runs)


def _raises(argv: Sequence[str]) -> int:
    raise KeyError("a bug")


def _says_that_it_failed(argv: Sequence[str]) -> int:
    return 70


def _hangs(argv: Sequence[str]) -> int:
    time.sleep(3600)
    return 0


def _writes_elsewhere(argv: Sequence[str]) -> int:
    Path(ELSEWHERE, "new").write_text("x")
    return 0


def _writes_outside(argv: Sequence[str]) -> int:
    Path("/nowhere-at-all").exists()
    with open(Path(__file__).with_suffix(".py"), "r+b"):
        return 0


def _loses_an_old_file(argv: Sequence[str]) -> int:
    """Opens the old file for writing, and writes the new one later."""
    with open(Path(OUT, "report"), "w") as stream:
        os.listdir(".")
        stream.write("new")
    return 0


def _leaves_what_it_staged(argv: Sequence[str]) -> int:
    Path(OUT, ".mapspore-staging-1").mkdir()
    Path(OUT, ".mapspore-staging-1", "x").write_text("x")
    return 0


def _leaves_a_process(argv: Sequence[str]) -> int:
    if os.fork() == 0:
        time.sleep(3600)
    return 0


def _writes_into_the_home_folder(argv: Sequence[str]) -> int:
    Path(os.environ["HOME"], "x").write_text("x")
    return 0


@pytest.mark.parametrize(
    ("fake", "seen"),
    [
        (_raises, "fails"), (_says_that_it_failed, "fails"), (_hangs, "hangs"),
        (_writes_elsewhere, "changes b'elsewhere/new'"),
        (_writes_outside, "touches what lies outside"), (_loses_an_old_file, "neither old nor new"),
        (_leaves_what_it_staged, "leaves b'out/.mapspore-staging-1/x'"), (_leaves_a_process, "processes are left"),
        (_writes_into_the_home_folder, "into the home folder"),
    ],
)  # fmt: skip
def test_the_search_sees_each_fault(fake: Main, seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def one_input(chance: object, folder: Path) -> Command:
        for name in (OUT, ELSEWHERE, CODE):
            (folder / name).mkdir()
        (folder / OUT / "report").write_text("old")
        return Command(("fake",), (OUT,))

    monkeypatch.setattr(command_line, "main", fake)
    monkeypatch.setattr(hostile_try, "build", one_input)
    monkeypatch.setattr(hostile_try, "LIMIT", 2.0)
    monkeypatch.setattr(hostile_try, "MOMENTS", ("SIGKILL",))
    monkeypatch.setattr(hostile_try, "AT_A_CHANGE", 1.0)
    faults = [fault for number in range(1 if fake is not _loses_an_old_file else 6)
              for fault in attempt(SEED, number, tmp_path).faults]  # fmt: skip
    assert any(seen in fault for fault in faults), faults
