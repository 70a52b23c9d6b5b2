"""What of torch a program names. In: its text. Out: the dotted names of torch that it imports, or reads from what it
has imported. What it calls on tensors is left to a run that records it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

ORIGINAL = "torch"


def named(text: str) -> set[str]:
    """The names, as they are written."""
    tree = ast.parse(text)
    known = dict(_imported(tree))
    found = {name for name in known.values() if name != ORIGINAL}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (path := _path(node)) and path[0] in known:
            found.add(".".join([known[path[0]], *path[1:]]))
    return found


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What stands for something of torch, by the name that the program has for it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == ORIGINAL:
                    yield (alias.asname, alias.name) if alias.asname else (ORIGINAL, ORIGINAL)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == ORIGINAL:
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)


def _path(node: ast.expr) -> list[str]:
    """The parts of a dotted name; none for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []
