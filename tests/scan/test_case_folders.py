"""Case folders: what `scan` finds in `input.py` (or the package in `input/`), and what `migrate` makes of it.

`expected.txt` has a line per finding; the two diffs are those that `migrate` prints, and where `--mix-frameworks`
changes more, there are two more. `pytest --update` writes them anew after a change; read what `git diff` shows.

Cases are about the registry as it is, but for one thing: a name that one of them expects to be unknown has no entry
here, so that a new entry takes the point of no case.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mapspore.migrate import run as migrating
from mapspore.scan.codes import CODES, FILE_CODES, UNKNOWN

HERE = Path(__file__).resolve().parent
CASES = sorted((HERE / "cases").iterdir())
MODES = ("adapter", "direct")
Run = Callable[..., Any]
Matches = Callable[[str, Path], None]


@pytest.fixture(scope="module", autouse=True)
def registry_read_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrating, "_registry", cache(migrating._registry))
        yield


def expected_names(code: str) -> set[str]:
    """The names that some case expects to be found with a code."""
    lines = [line.split() for case in CASES for line in _lines_in(case / "expected.txt")]
    return {words[3] for words in lines if words[1] == code}


def _lines_in(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines() if file.exists() else []


@pytest.fixture(scope="module")
def registry_options(without_entries: Callable[[set[str]], Path]) -> tuple[object, ...]:
    """The options that name the registry of the cases, and what they lay over it."""
    return ("--overlay", HERE / "overlay", "--root", without_entries(expected_names(UNKNOWN)))


def input_of(case: Path) -> str:
    return "input" if (case / "input").is_dir() else "input.py"


def lines_of(report: str) -> str:
    """The findings of a JSON report, a line each."""
    listed = []
    for found in json.loads(report)["findings"]:
        name = found["torch"] + (f"({found['parameter']})" if found["parameter"] else "")
        place = f"{found['path']}:{found['line']}:{found['column']}"
        words = [place, found["code"], found["severity"] or "-", name, found["effort"] or "-"]
        listed.append(" ".join([*words, *([] if found["confidence"] == "certain" else [found["confidence"]])]))
    return "".join(f"{line}\n" for line in listed)


@cache
def unbound(folder: Path) -> set[str]:
    """The names that are used where nothing binds them, as ruff sees it; the inputs have some of their own."""
    ruff = Path(sys.executable).with_name("ruff")
    command = [ruff, "check", "--isolated", "--no-cache", "--select", "F821,F823", "--output-format", "json", folder]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return {found["message"] for found in json.loads(done.stdout) if found["code"] in ("F821", "F823")}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_scan_finds_what_is_expected(
    case: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch, matches_file: Matches,
    registry_options: tuple[object, ...],
) -> None:  # fmt: skip
    monkeypatch.chdir(case)
    result = mapspore("scan", input_of(case), "--format", "json", *registry_options)
    assert result.err == ""
    matches_file(lines_of(result.out), case / "expected.txt")
    assert result.code == int(any(found["counts"] for found in json.loads(result.out)["findings"]))


@pytest.mark.processes
@pytest.mark.parametrize("mixing", [(), ("--mix-frameworks",)], ids=["whole", "mixed"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_migrate_changes_what_is_expected(
    case: Path, mode: str, mixing: tuple[str, ...], mapspore: Run, monkeypatch: pytest.MonkeyPatch,
    matches_file: Matches, registry_options: tuple[object, ...], tmp_path: Path,
) -> None:  # fmt: skip
    monkeypatch.chdir(case)
    asked = ("migrate", input_of(case), "--mode", mode, *mixing, *registry_options)
    result = mapspore(*asked)
    assert result.code == 0
    whole, mixed = case / f"expected_{mode}.diff", case / f"expected_{mode}_mixed.diff"
    if not mixing:
        matches_file(result.out, whole)
    elif result.out != whole.read_text("utf-8"):
        matches_file(result.out, mixed)
    else:
        assert not mixed.exists(), "it says the same as the diff without --mix-frameworks"
    copy = tmp_path / "copy"
    shutil.copytree(case, copy)
    monkeypatch.chdir(copy)
    assert mapspore(*asked, "--write").code == 0
    for file in sorted(copy.rglob("*.py")):
        ast.parse(file.read_text("utf-8"))
    assert not result.out or unbound(copy) <= unbound(case), "the rewrite uses a name that nothing binds there"
    again = mapspore(*asked)
    assert again.out == "", "a second run changes something"
    assert mapspore(*asked, "--check").code == 0


def test_there_are_enough_cases_and_every_code_of_a_difference_is_met() -> None:
    assert len(CASES) >= 60
    assert {code for code in CODES if expected_names(code)} == set(CODES) - set(FILE_CODES)
