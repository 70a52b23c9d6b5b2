"""What one file holds, as data: its uses of torch, its imports, and what it shares with other files."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from mapspore.scan.codes import Confidence

Site = tuple[int, int]
"""Line, and column from 0: where a name of an import stands."""

Linked = Mapping[str, tuple[str, str, bool]]
"""By dotted name in scanned modules: what of torch it stands for, the module that imports that, and whether it is
sure."""


class Use(NamedTuple):
    """One use of an API of torch."""

    line: int
    column: int
    """From 1, in characters."""
    end_line: int
    end_column: int
    path: str
    """The API's name as the code means it."""
    rule: str
    """The entry that answers for it; empty if there is none."""
    rest: str
    form: int
    met: list[tuple[int, Confidence]]
    open: list[str]
    given: list[str]
    simple: list[str]
    called: bool
    confidence: str
    site: Site | None
    """Where the import stands that the name came by."""
    via: str
    """The scanned module that imports what the name stands for, if it is another one."""


class Import(NamedTuple):
    """One name bound by an import of torch."""

    line: int
    column: int
    path: str
    name: str
    form: str
    """`import`, `from` or `star`."""
    outside: bool = False
    """Whether `global` or `nonlocal` binds it outside of the function where it stands."""


class FileUses(NamedTuple):
    """Everything that the analysis of one file found: uses of torch, imports, names."""

    uses: list[Use]
    exports: dict[str, tuple[str, bool]]
    """Names of the module that stand for something of torch, or of another scanned module, and whether surely."""
    stars: list[str]
    """Modules whose names it takes over with `import *`."""
    takes: list[str]
    """What it uses of scanned modules, dotted; with `*` at the end for `import *`."""
    imports: list[Import]
    escapes: list[tuple[Site, int, int]]
    """Modules of torch that are handed on as values: where the import stands, and where it happens."""
    bound: frozenset[str]
    """Which of the names `mindspore` and `torchspore` the file uses for something of its own."""
    twins: list[tuple[Site, Site]]
    """Imports of the same name in branches of which one runs."""
    patched_by_name: dict[str, int]
    """APIs that the file puts something else in the place of, by a text that nothing rewrites, with the line."""
    nodes: list[ast.AST]
    """Where in the syntax tree each use stands; what is called, where that is what is used."""
