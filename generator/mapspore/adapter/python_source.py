"""Pieces of Python source, formatted as ruff would: values, signatures, calls, imports."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

WIDTH = 110
LINE = 120
"""How long a line may be, beyond which the formatter breaks it."""


def as_sorted(name: str) -> tuple[bool, bool, list[tuple[bool, int, str]]]:
    """The order in which ruff keeps imported names: constants, classes, functions; numbers in them by value."""
    return (not name.isupper(), not name[0].isupper(), _pieces(name))


def _pieces(text: str) -> list[tuple[bool, int, str]]:
    """Text by which `complex64` comes before `complex128`."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", text) if part]


def repr_(value: object) -> str:
    """A value as Python source, with double quotes for text as the formatter wants them."""
    if isinstance(value, str):
        quoted = repr(value)
        plain = quoted[1:-1]
        return f'"{plain}"' if quoted[0] == "'" and '"' not in plain and "\\'" not in plain else quoted
    if isinstance(value, list):
        return f"[{', '.join(map(repr_, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(repr_, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def signature(name: str, parameters: Sequence[str], returns: str) -> str:
    """`name(…) -> …` on one line where it fits behind `def`, else a parameter per line."""
    line = f"{name}({', '.join(parameters)}) -> {returns}"
    if len(f"def {line}:") <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parameters), f") -> {returns}"])


def call(function: str, arguments: Sequence[str], fits: int = 0) -> str:
    """A call with an argument per line, or on one line where it has none or is not longer than what fits."""
    line = f"{function}({', '.join(arguments)})"
    if not arguments or len(line) <= fits:
        return line
    return "\n".join([f"{function}(", *(f"    {argument}," for argument in arguments), ")"])


def several(name: str, values: Sequence[object]) -> str:
    """An argument that is a tuple, with an item per line where one line is too short for it."""
    line = f"{name}={repr_(tuple(values))}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}=(", *(f"        {repr_(value)}," for value in values), "    )"])


def docstring(text: str) -> str:
    """A docstring; if it has several lines, its end stands on a line of its own."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    end = "\n" if "\n" in text else ""
    return f'"""{escaped}{end}"""'


def wrapped(text: str) -> str:
    """Prose in lines that fit into a docstring."""
    return textwrap.fill(" ".join(text.split()), WIDTH - 8)


def imports(offers: Mapping[str, Iterable[str]]) -> list[str]:
    """The import statements, by module the names from it, in the order in which ruff keeps them."""
    ordered = sorted(offers, key=lambda path: (_pieces(path.lower()), path))
    return [line for path in ordered for line in _import(path, offers[path])]


def _import(path: str, names: Iterable[str]) -> list[str]:
    ordered = sorted(names, key=as_sorted)
    renamed = [name for name in ordered if " as " in name]
    if renamed:
        plain = [name for name in ordered if name not in renamed]
        return [*(_import(path, plain) if plain else ()), *(f"from {path} import {name}" for name in renamed)]
    line = f"from {path} import {', '.join(ordered)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from {path} import (", *(f"    {name}," for name in ordered), ")"]
