"""H16: time grows with the text and no faster, told by counting steps: lines that run, what is compiled or copied."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from families import FAMILIES, FLOWS, TREES
from programs import HOME

from mapspore.migrate.run import MODES, Mode, Wanted, migrate
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Registry
from mapspore.scan import notebook
from mapspore.scan.files import File, find, read_all
from mapspore.scan.ruleset import Ruleset, load_ruleset
from mapspore.scan.run import scan
from mapspore.scan.taken_names import imports, names

pytestmark = pytest.mark.processes

LIMIT = 5.0
"""How many times the steps may be for four times the text."""
SIZE = 60


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load_ruleset(HOME)


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load_registry(HOME).registry.on("Ascend")


def steps(work: Callable[[], Any]) -> int:
    """How many lines of Python are run."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def files_in(folder: Path, contents: dict[str, str]) -> list[File]:
    folder.mkdir()
    for name, text in contents.items():
        (folder / name).write_text(text, "utf-8")
    return find([str(folder)])[0]


def scanning(files: list[File], rules: Ruleset) -> Callable[[], Any]:
    contents = read_all(files)
    fresh = Ruleset(rules.data, rules.digest)  # it remembers names
    return lambda: scan(files, contents, fresh, 1, False)


@pytest.mark.parametrize("name", [*FAMILIES, *TREES])
def test_h16_four_times_the_text_takes_four_times_the_steps(name: str, rules: Ruleset, tmp_path: Path) -> None:
    make = FAMILIES.get(name) or TREES[name]
    small, large = (files_in(tmp_path / str(size), make(size)) for size in (SIZE, 4 * SIZE))
    few, many = steps(scanning(small, rules)), steps(scanning(large, rules))
    assert many <= LIMIT * few, f"{few} steps for {SIZE}, {many} for {4 * SIZE}"


def migrating(files: list[File], rules: Ruleset, mode: Mode) -> Callable[[], Any]:
    """Everything but libcst's own work: what is edited is not ours."""
    paths = [file.path for file in files]
    fresh = Ruleset(rules.data, rules.digest)
    return lambda: migrate(files, fresh, Wanted(mode), HOME, (), paths, 1, False)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", [*FAMILIES, *TREES, *FLOWS])
def test_h16_migrating_takes_steps_in_proportion(
    name: str, mode: Mode, rules: Ruleset, registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mapspore.migrate import edit, run

    monkeypatch.setattr(run, "_registry", lambda *_: registry)
    monkeypatch.setattr(edit, "edit", lambda text, plan: (text, {}))
    monkeypatch.setattr(edit, "without_spare", lambda text, plan: text)
    make = FAMILIES.get(name) or TREES.get(name) or FLOWS[name]
    small, large = (files_in(tmp_path / str(size), make(size)) for size in (SIZE, 4 * SIZE))
    known = rules if mode == "adapter" else load_ruleset(HOME, (), "Ascend")
    few, many = steps(migrating(small, known, mode)), steps(migrating(large, known, mode))
    assert many <= LIMIT * few, f"{few} steps for {SIZE}, {many} for {4 * SIZE}"


@pytest.mark.parametrize(
    "text", [b"import(", b"import ", b"import\n", b"import (a, ", b"import \\\n", b"import*", b"x.y "]
)
def test_h16_imports_do_not_overlap(text: bytes) -> None:
    raw = text * 5000
    assert sum(len(part) for part in imports(raw)) <= len(raw)
    assert len(names(raw)) <= 3


def test_h16_a_cell_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[int] = []

    def counting(source: str, *arguments: Any, **options: Any) -> Any:
        compiled.append(len(source))
        return builtins.compile(source, *arguments, **options)

    monkeypatch.setattr(notebook, "compile", counting, raising=False)
    text = FAMILIES["lines for the shell"](1000)["a.ipynb"]
    assert not notebook.read_notebook(text).broken
    assert len(compiled) == 1 and compiled[0] <= 2 * len(text)


def test_h16_a_branch_copies_only_what_it_binds() -> None:
    from mapspore.scan.scopes import Scope

    scope = Scope()
    for number in range(10_000):
        scope.put(f"x{number}", None)
    mark = scope.mark()
    scope.put("x1", None)
    scope.put("new", None)
    assert scope.take_back(mark).keys() == {"new"}
    assert len(scope) == 10_000 and scope.mark() == mark


def test_h16_columns_of_a_long_line_are_worked_out_once() -> None:
    from mapspore.scan.uses import _Columns

    line = "é中=1;" * 1000 + "x"
    columns = _Columns([line])
    raw = line.encode()
    for offset in (0, 2, 5, 6, 7, 8, 10, len(raw) - 1, len(raw)):  # where characters begin
        assert columns.characters(1, offset) == len(raw[:offset].decode("utf-8"))
    kept = columns._inner
    columns.characters(1, 7)
    assert columns._inner is kept
