"""Pieces of Python source, formatted as ruff would: values, function heads, calls, and types read off stubs."""

from __future__ import annotations

import re

WIDTH = 110


def as_sorted(name: str) -> tuple[bool, bool, list[tuple[bool, int, str]]]:
    """The order in which ruff keeps imported names: constants, classes, functions; numbers in them by value."""
    pieces = [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name) if part]
    return (not name.isupper(), not name[0].isupper(), pieces)


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


def head(name: str, parameters: list[str], returns: str) -> str:
    """`def name(…) -> …:` on one line where it fits, else a parameter per line."""
    line = f"def {name}({', '.join(parameters)}) -> {returns}:"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"def {name}(", *(f"    {part}," for part in parameters), f") -> {returns}:"])


def statement(result: str, function: str, arguments: list[str], fits: int = 0) -> list[str]:
    """A call with an argument per line, or on one line where it has none or is not longer than what fits."""
    line = f"{result}{function}({', '.join(arguments)})"
    if not arguments or len(line) <= fits:
        return [line]
    return [f"{result}{function}(", *(f"    {argument}," for argument in arguments), ")"]
