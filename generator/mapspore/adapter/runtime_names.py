"""Which names a generated module uses, and where the runtime has them.

In go the names that are used while a module is made; out come its import statements. Where a name stands is read off
the hand-written source of the runtime: what `__all__` of one of its parts lists is imported from that part, a function
of the vocabulary from the module of `words` that defines it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mapspore.adapter.python_source import imports
from mapspore.base.paths import adapter_folder

RUNTIME = "torchspore._runtime"
COLLECTIVES = f"{RUNTIME}.collectives"


@cache
def homes() -> dict[str, str]:
    """The module that each name of the runtime is imported from."""
    return dict(offered())


def offered() -> Iterator[tuple[str, str]]:
    """The names that generated code can import, each with its module."""
    folder = adapter_folder().joinpath(*RUNTIME.split("."))
    for part in sorted(file.parent for file in folder.glob("*/__init__.py")):
        yield from ((name, f"{RUNTIME}.{part.name}") for name in listed(part / "__init__.py"))
    for file in sorted((folder / "words").glob("[a-z]*.py")):
        functions = (node for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.FunctionDef))
        yield from ((node.name, f"{RUNTIME}.words.{file.stem}") for node in functions if node.name[0] != "_")


def listed(file: Path) -> list[str]:
    """The names in a module's `__all__`, read without importing it."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


class Names:
    """The names that one module uses, collected while its views are made."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._typing: set[str] = set()

    def use(self, name: str) -> str:
        """A name of the runtime; of `one as other` the other is what the module calls it."""
        self._used.add(name)
        return name.rpartition(" ")[2]

    def any(self) -> str:
        return self.typing("Any")

    def typing(self, name: str) -> str:
        self._typing.add(name)
        return name

    @property
    def typed(self) -> tuple[str, ...]:
        return tuple(sorted(self._typing))

    def imports(self) -> tuple[str, ...]:
        """The import statements, line by line."""
        offers: dict[str, list[str]] = {}
        for name in self._used:
            offers.setdefault(homes()[name.partition(" ")[0]], []).append(name)
        return tuple(imports(offers))
