"""Notebooks: the JSON text of an `.ipynb` goes in, one Python text comes out, with where each line came from.

Cells share their names, so they are read as one module. Lines for the notebook's shell (`%`, `!`, `?`) are left
out, and so is a cell that is no Python; it is told.
"""

from __future__ import annotations

import ast
import json
import re
from typing import NamedTuple


class Notebook(NamedTuple):
    text: str
    cells: list[tuple[int, int]]
    """By line of the text, from 1: the number of the cell, from 1, and the line in it."""
    broken: list[tuple[int, int, int, str]]
    """Cells that do not parse: number, line, column, and why."""


class NotANotebook(ValueError):
    """The file is not what its name says."""


def read_notebook(text: str) -> Notebook:
    try:
        cells = json.loads(text)["cells"]
        sources = [
            (number, "".join(cell["source"])) for number, cell in enumerate(cells, 1) if cell.get("cell_type") == "code"
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise NotANotebook from None
    lines: list[str] = []
    places: list[tuple[int, int]] = [(0, 0)]
    broken: list[tuple[int, int, int, str]] = []
    for number, source in sources:
        cell, problem = _without_magic(source.split("\n"))
        if problem is not None:
            broken.append((number, *place_of(problem)))
            cell = [""] * len(cell)
        lines += cell
        places += [(number, at) for at in range(1, len(cell) + 1)]
    return Notebook("\n".join(lines), places, broken)


def _problem(lines: list[str]) -> BaseException | None:
    """Why lines are no Python; `await` may stand outside of functions in a notebook."""
    try:
        compile("\n".join(lines), "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        return problem
    return None


_AROUND = frozenset({"capture", "prun", "time", "timeit"})
"""Magics of a whole cell whose body is Python that runs in the notebook."""

_SHELL = re.compile(
    r"(?P<indent>\s*)(?P<target>[\w.,\s\[\]'\"]+=\s*)?[%!].*|(?P<help>\s*)(\?{1,2}[\w.*]+|[\w.*%]+\?{1,2})\s*"
)
"""A line for the notebook's shell, whose output may be assigned: `%cd data`, `files = !ls`, `model?`."""


def _without_magic(lines: list[str]) -> tuple[list[str], BaseException | None]:
    """The lines with `pass`, or `None` as a value, in place of those for the notebook's shell; and why they are no
    Python even so. A line is for the shell if the parser stumbles over it: `% 3` may go on with an expression."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    head = lines[first].strip()
    if head.startswith("%%"):
        if head[2:].split(" ")[0] not in _AROUND:
            return [""] * len(lines), None
        lines = [*lines[:first], "", *lines[first + 1 :]]
    while (problem := _problem(lines)) is not None:
        at = (getattr(problem, "lineno", None) or 1) - 1
        made = _python(lines[at]) if at < len(lines) else ""
        if at >= len(lines) or made == lines[at]:
            return lines, problem
        lines = [*lines[:at], made, *lines[at + 1 :]]
    return lines, None


def _python(line: str) -> str:
    match = _SHELL.fullmatch(line)
    if match is None:
        return line
    if match["target"]:
        return f"{match['indent']}{match['target']}None"
    return f"{match['indent'] or match['help'] or ''}pass"


def place_of(problem: BaseException) -> tuple[int, int, str]:
    """Line, column and reason of what a parser says."""
    if isinstance(problem, SyntaxError):
        return problem.lineno or 1, max(problem.offset or 1, 1), str(problem.msg)
    if isinstance(problem, (RecursionError, MemoryError)):
        return 1, 1, "too deeply nested"
    return 1, 1, str(problem)
