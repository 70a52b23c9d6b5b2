"""The source files of a package. In: a folder, the package's name, and what is about to be written there, if anything.
Out: their paths below the folder, and their texts: those to come in place of those on disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from mapspore.base.artifact import MARK


class SourceFiles:
    """The files of a package as they are, or as they will be once `made`, texts by path, is written."""

    def __init__(self, folder: Path, package: str, made: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._package = package
        self._made = {path: text for path, text in (made or {}).items() if path.endswith(".py")}

    @cached_property
    def paths(self) -> frozenset[str]:
        """With something to come, a generated file that nothing makes any more is as good as removed."""
        found = (self._folder / self._package).rglob("*.py")
        there = {file.relative_to(self._folder).as_posix() for file in found if file.is_file()}
        if self._made:
            there = {path for path in there if path in self._made or not is_generated(self._on_disk(path))}
        return frozenset(there | self._made.keys())

    def text(self, path: str) -> str:
        """The text of a file; empty if there is none."""
        return (self._made.get(path) or self._on_disk(path)) if path in self.paths else ""

    def _on_disk(self, path: str) -> str:
        return (self._folder / path).read_text("utf-8")


def is_generated(text: str) -> bool:
    return MARK in text.partition("\n")[0]
