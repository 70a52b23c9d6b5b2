"""What the adapter's hand-written runtime has. In: its source, read without importing it. Out: where each name that
generated code or an entry may use is imported from, and what it is.

What `__all__` of one of its parts lists is imported from that part, a function of the vocabulary from the module of
`words` that defines it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mapspore.base.paths import adapter_folder

PACKAGE = "torchspore._runtime"
COLLECTIVES = f"{PACKAGE}.collectives"


@cache
def homes() -> dict[str, str]:
    """The module that each name of the runtime is imported from."""
    return {name: home for name, home in reversed(list(offered()))}


def offered() -> Iterator[tuple[str, str]]:
    """The names that generated code can import, each with its module."""
    folder = adapter_folder().joinpath(*PACKAGE.split("."))
    for part in sorted(file.parent for file in folder.glob("*/__init__.py")):
        yield from ((name, f"{PACKAGE}.{part.name}") for name in listed(part / "__init__.py"))
    for file in sorted((folder / "words").glob("[a-z]*.py")):
        functions = (node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
        yield from ((node.name, f"{PACKAGE}.words.{file.stem}") for node in functions if node.name[0] != "_")


def listed(file: Path) -> list[str]:
    """The names in a module's `__all__`, read without importing it."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def home_of(name: str) -> tuple[str, str]:
    """The module that a name of the runtime is imported from, and the name there; `part.name` says the part itself."""
    part, dot, last = name.rpartition(".")
    return (f"{PACKAGE}.{part}" if dot else homes()[name]), last


PARTS = (
    "autograd", "data", "files", "functional", "init", "layers", "module", "operations", "optim", "random", "tensor",
)  # fmt: skip
"""The parts whose names entries can name."""


def provided() -> frozenset[str]:
    """What entries can name of these parts, each name alone and behind its part."""
    folder = adapter_folder().joinpath(*PACKAGE.split("."))
    files = [(part, folder / part / "__init__.py") for part in PARTS]
    names = [(part, name) for part, file in files if file.exists() for name in listed(file)]
    return frozenset(each for part, name in names for each in (name, f"{part}.{name}"))


def communicates(name: str) -> bool:
    """Whether a name of the runtime is about several processes: it stands in the part for them."""
    return homes().get(name) == COLLECTIVES
