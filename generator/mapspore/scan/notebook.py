"""Notebooks: the JSON text of an `.ipynb` goes in, one Python text comes out, with where each line came from.

Cells share their names, so they are read as one module. Lines for the notebook's shell (`%`, `!`, `?`) are left
out, and so is a cell that is no Python; it is told.
"""

from __future__ import annotations

import ast
import json
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
        cell = [_python(line) for line in source.split("\n")]
        if source.lstrip().startswith("%%"):
            cell = [""] * len(cell)
        try:
            ast.parse("\n".join(cell))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            broken.append((number, *place_of(problem)))
            cell = [""] * len(cell)
        lines += cell
        places += [(number, at) for at in range(1, len(cell) + 1)]
    return Notebook("\n".join(lines), places, broken)


def _python(line: str) -> str:
    """The line, or `pass` in its place if it is for the notebook's shell."""
    stripped = line.lstrip()
    if stripped.startswith(("%", "!")) or stripped.rstrip().endswith("?"):
        return f"{line[: len(line) - len(stripped)]}pass"
    return line


def place_of(problem: BaseException) -> tuple[int, int, str]:
    """Line, column and reason of what a parser says."""
    if isinstance(problem, SyntaxError):
        return problem.lineno or 1, max(problem.offset or 1, 1), str(problem.msg)
    if isinstance(problem, (RecursionError, MemoryError)):
        return 1, 1, "too deeply nested"
    return 1, 1, str(problem)
