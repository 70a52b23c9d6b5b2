"""One file from bytes to its `Result`: decode, parse, analyse. What a worker process does, over and over.

A result is plain data, so that it travels between processes and is kept in the cache as JSON.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any, NamedTuple

from mapspore.scan import codes
from mapspore.scan.file_uses import FileUses, Linked
from mapspore.scan.files import File, Problem, decode
from mapspore.scan.notebook import NotANotebook, Notebook, place_of, read_notebook
from mapspore.scan.ruleset import Ruleset

Row = list[Any]


class Result(NamedTuple):
    """What was found in one file."""

    uses: list[Row]
    """Uses of APIs with an entry: the fields of `Use`, with `cell` at the end."""
    unknown: list[Row]
    """Uses of APIs without one: line, column, end line, end column, path, confidence, called, cell."""
    problems: list[Row]
    """Code, line, column, detail, cell."""
    ignores: dict[str, list[str]]
    """By line, with the cell before it if there is one: the codes that a comment switches off; none means all."""
    exports: dict[str, tuple[str, bool]]
    stars: list[str]
    takes: list[str]
    imports: bool
    """Whether it imports an API with an entry by name, be it used or not."""


EMPTY = Result([], [], [], {}, {}, [], [], False)
_IGNORE = re.compile(r"#\s*mapspore:\s*ignore(?:\[([^\]]*)\])?")


def scan_text(raw: bytes, file: File, rules: Ruleset, packages: frozenset[str], linked: Linked | None = None) -> Result:
    """What one file holds; a file that cannot be understood gives one problem."""
    text = decode(raw, file.shown)
    if isinstance(text, Problem):
        return unread(text)
    notebook: Notebook | None = None
    problems: list[Row] = []
    if file.shown.endswith(".ipynb"):
        try:
            notebook = read_notebook(text)
        except NotANotebook:
            return unread(Problem(codes.NO_NOTEBOOK, file.shown))
        text = notebook.text
        for cell, line, column, reason in notebook.broken:
            problems.append(_row(Problem(codes.UNPARSED, file.shown, line, column, reason, cell)))
    try:
        found = analyse_text(text, file, rules, packages, linked)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        return unread(Problem(codes.UNPARSED, file.shown, *place_of(problem)))
    uses, unknown = [], []
    for use in found.uses:
        line, cell = use.line, 0
        if notebook is not None:
            cell, line = notebook.cells[use.line]
            end = notebook.cells[use.end_line][1]
            use = use._replace(line=line, end_line=end)
        if use.rule:
            uses.append([*use, cell])
        else:
            unknown.append([*use[:5], use.confidence, use.called, cell])
    ignores = _ignores(text, notebook) if "mapspore:" in text else {}
    known = any(each.form == "from" and (api := rules.api(each.path)) and api.rule for each in found.imports)
    return Result(uses, unknown, problems, ignores, found.exports, found.stars, found.takes, known)


def unread(problem: Problem) -> Result:
    """What is found in a file that cannot be understood."""
    return EMPTY._replace(problems=[_row(problem)])


def analyse_text(
    text: str, file: File, rules: Ruleset, packages: frozenset[str], linked: Linked | None = None
) -> FileUses:
    """Parse and analyse; whatever the parser cannot take is raised."""
    return found_in(parsed(text), text, file, rules, packages, linked)


def parsed(text: str) -> ast.Module:
    """The syntax tree of a text; whatever the parser cannot take is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the scanned code deserves to be told is not ours to tell
        return ast.parse(text)


def found_in(
    tree: ast.Module, text: str, file: File, rules: Ruleset, packages: frozenset[str], linked: Linked | None = None
) -> FileUses:
    """What a text holds whose syntax tree is known."""
    from mapspore.scan.analyse import analyse  # not needed where everything is in the cache

    return analyse(tree, _lines(text), rules, file.module, file.package, packages, linked)


def _lines(text: str) -> list[str]:
    """The lines as Python counts them: a carriage return by itself ends one too."""
    return (text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text).split("\n")


def _row(problem: Problem) -> Row:
    return [problem.code, problem.line, problem.column, problem.detail, problem.cell]


def _ignores(text: str, notebook: Notebook | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, line in enumerate(_lines(text), 1):
        match = _IGNORE.search(line)
        if match is not None:
            cell, at = notebook.cells[number] if notebook is not None else (0, number)
            found[f"{cell}:{at}"] = [code.strip().upper() for code in (match[1] or "").split(",") if code.strip()]
    return found
