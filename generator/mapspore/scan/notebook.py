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
        cell, problem = _without_magic(source)
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
    r"(?P<indent>\s*+)(?:(?P<target>[\w(\[][\w.,\s()\[\]'\"]*=)?\s*[%!].*"
    r"|\?{1,2}[\w.*]+\s*|[\w.*%]+\?{1,2}\s*)",
    re.DOTALL,
)
"""A line for the notebook's shell, whose output may be assigned: `%cd data`, `files = !ls`, `model?`."""

_TOKEN = re.compile(
    r"""\"{3}(?:[^\\]|\\.)*?(?:\"{3}|\Z)|'{3}(?:[^\\]|\\.)*?(?:'{3}|\Z)"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\#[^\n]*|\\\n|[()\[\]{}\n]""",
    re.DOTALL,
)
"""What decides where a statement of Python goes on: strings, comments, brackets, and the ends of lines."""


def _without_magic(text: str) -> tuple[list[str], BaseException | None]:
    """The lines with `pass`, or `None` as a value, in place of those for the notebook's shell; and why they are no
    Python even so. A line is for the shell if it looks like that and no statement goes on in it: `% 3` may."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    head = lines[first].strip()
    if head.startswith("%%"):
        if head[2:].split(" ")[0] not in _AROUND:
            return [""] * len(lines), None
        lines[first] = ""
    made = _python("\n".join(lines)).split("\n")
    return made, _problem(made)


def _python(text: str) -> str:
    """The text with what is for the shell replaced; one pass over it."""
    parts: list[str] = []
    at = 0
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        match = _SHELL.fullmatch(text, at, end)
        if match is None:
            after = _end_of_statement(text, at)
            parts.append(text[at:after])
        else:
            made = f"{match['target']} None" if match["target"] else "pass"
            parts.append(f"{match['indent']}{made}")
            after = end
        at = after + 1
    return "\n".join(parts)


def _end_of_statement(text: str, at: int) -> int:
    """Where the line ends that a statement ends in."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        sign = token[0]
        if sign in ("(", "[", "{"):
            depth += 1
        elif sign in (")", "]", "}"):
            depth -= 1
        elif sign == "\n" and depth <= 0:
            return token.start()
    return len(text)


def place_of(problem: BaseException) -> tuple[int, int, str]:
    """Line, column and reason of what a parser says."""
    if isinstance(problem, SyntaxError):
        return problem.lineno or 1, max(problem.offset or 1, 1), str(problem.msg)
    if isinstance(problem, (RecursionError, MemoryError)):
        return 1, 1, "too deeply nested"
    return 1, 1, str(problem)
