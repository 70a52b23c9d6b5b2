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


_TAKEN = {
    "None": "none", "Tensor": "tensor", "_bool": "bool", "bool": "bool", "_int": "int", "int": "int", "SymInt": "int",
    "_size": "ints", "_float": "number", "float": "number", "Number": "number", "_complex": "number", "str": "text",
    "complex": "number", "Sequence[_int | SymInt]": "ints", "Sequence[_int]": "ints",
    "tuple[Tensor, ...]": "tensors", "list[Tensor]": "tensors", "_dtype": "dtype", "DeviceLikeType": "device",
}  # fmt: skip


def kinds_taken(annotation: str | None) -> list[str]:
    """The kinds of value that a stub's annotation allows; nothing if one of its parts is not known."""
    parts = _alternatives(annotation or "Any")
    kinds = [_TAKEN.get(part.removeprefix("torch.")) for part in parts]
    if "Number" in parts:
        kinds.append("bool")  # torch takes a bool for a number, though not for an integer
    return [] if None in kinds else list(dict.fromkeys(kind for kind in kinds if kind is not None))


def _alternatives(annotation: str) -> list[str]:
    """`Tensor | Sequence[_int | SymInt]` as its two parts."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(annotation):
        depth += (sign in "[(") - (sign in "])")
        if sign == "|" and depth == 0:
            parts.append(annotation[start:at].strip())
            start = at + 1
    return [*parts, annotation[start:].strip()]
