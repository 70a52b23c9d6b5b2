"""The data flows of all files that are migrated. Syntax trees and what `scan` found in them go in (`flow_statements.py`
reads them); out comes which uses of torch belong to one flow, and what else stands in a flow and hinders it: libraries,
modules that are handed on, methods by name.

Two uses belong together if a value can pass from one to the other, or if they share what the process has once: process
groups, the state of random numbers, modes. In doubt they belong together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from mapspore.migrate.cells import Cell, Cells
from mapspore.migrate.variables import Variables
from mapspore.scan.file_uses import FileUses, Import, Site
from mapspore.scan.files import File
from mapspore.scan.ruleset import Ruleset

PACKAGE = "torchspore"
Values = tuple[tuple[str, str], ...]


class Hindrance(NamedTuple):
    """What keeps a flow from being rewritten: where it stands, the API or library, and why."""

    cell: Cell
    path: str
    line: int
    column: int
    name: str
    reason: str
    values: Values = ()


class Method(NamedTuple):
    """A method that is called on a value of which nobody knows the class."""

    cell: Cell
    path: str
    line: int
    column: int
    name: str


class FileFlow:
    """One file: where its uses stand, the cells that they belong to, and what it imports."""

    def __init__(self, file: File, found: FileUses, rules: Ruleset) -> None:
        self.file = file
        self.found = found
        self.at: dict[int, list[int]] = {}
        """By node of the syntax tree: the numbers of the uses that stand there."""
        for number, node in enumerate(found.nodes):
            self.at.setdefault(id(node), []).append(number)
        modules = {(each.line, each.column) for each in found.imports if rules.api(each.path) is None}
        self.escapes = {(line, column): site for site, line, column in found.escapes if site in modules}
        """Where modules of torch are handed on as values, and the imports that bring them."""
        self.cells: list[Cell | None] = [None] * len(found.uses)
        self.annotations: set[int] = set()
        """Uses that stand in annotations."""
        self.unevaluated = False
        """Whether Python does not evaluate the annotations of this file."""
        self.imports: dict[str, None] = {}
        """The migrated modules that it imports."""

    def forget(self) -> None:
        """Let go of the syntax tree, when the file has been read."""
        self.at.clear()
        self.found.nodes.clear()

    def cell(self, number: int) -> Cell:
        cell = self.cells[number]
        assert cell is not None
        return cell


class Flows:
    """All files, their variables and cells."""

    def __init__(self, rules: Ruleset, files: Iterable[File], mixing: bool = False) -> None:
        self.rules = rules
        self.mixing = mixing
        """Whether flows may be rewritten in part, so that only what one statement brings stays together."""
        self.modules = frozenset(file.module for file in files) - {""}
        self.packages = frozenset(module.partition(".")[0] for module in self.modules)
        self.cells = Cells()
        self.variables = Variables(self.cells)
        self.files: dict[str, FileFlow] = {}
        """By path."""
        self.hindrances: list[Hindrance] = []
        self.methods: list[Method] = []
        self.shared: list[tuple[str, Cell]] = []
        """Uses of what the process has once, by file."""
        self.own: set[str] = set()
        """What classes of the files define, so that a method of that name may be theirs."""

    def hinder(self, cell: Cell, flow: FileFlow, node: ast.AST, name: str, reason: str, values: Values = ()) -> None:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
        self.hindrances.append(Hindrance(cell, flow.file.path, line, column, name, reason, values))

    def settle(self, with_adapter: bool) -> None:
        """Join what is one, when all files have been read. With the adapter, what one import brings moves with it."""
        if self.mixing:
            self._take_apart(with_adapter)
        else:
            self.variables.settle()
        for flow in self.files.values():
            for number, known in enumerate(flow.cells):
                if known is None:  # where nothing of it is evaluated, such as an annotation in quotes
                    flow.cells[number] = self.cells.new()
                    flow.annotations.add(number)
        if with_adapter:
            self._join_imports()
        self._join_shared()
        missing = self.rules.missing if with_adapter else self.rules.missing_directly
        for cell, path, line, column, name in self.methods:
            full = missing.get(name)
            if full is not None and name not in self.own and name not in _OF_OTHERS:
                self.hindrances.append(Hindrance(cell, path, line, column, full, "no_method"))

    def _take_apart(self, by_import: bool) -> None:
        """A cell for each use; with imports that move, one for each module of torch in a file."""
        self.shared.clear()
        self.methods.clear()
        known: dict[tuple[str, str], Cell] = {}
        places: dict[tuple[str, int, int], Cell] = {}
        for path, flow in self.files.items():
            handed_on = set(flow.escapes.values()) - root_sites(flow.found)
            for number, use in enumerate(flow.found.uses):
                own = self.cells.new()
                if by_import:
                    own = known.setdefault((path, use.path.rpartition(".")[0]), own)
                flow.cells[number] = places[path, use.line, use.column] = own
                if use.site in handed_on and by_import:
                    self.hindrances.append(Hindrance(own, path, use.line, use.column, use.path, "handed_on"))
        self.hindrances = [
            each._replace(cell=cell)
            for each in self.hindrances
            if each.reason not in _BY_VALUES and (cell := places.get((each.path, each.line, each.column))) is not None
        ]

    def _join_imports(self) -> None:
        """What comes by one import moves with it, unless dotted names tell its uses apart; so does what others take."""
        lent: dict[str, list[Cell]] = {}
        for flow in self.files.values():
            for number, use in enumerate(flow.found.uses):
                if use.via:
                    lent.setdefault(use.via, []).append(flow.cell(number))
        for flow in self.files.values():
            found = flow.found
            taken = lent.get(flow.file.module, [])
            roots = root_sites(found)
            apart = not taken and separable(found)
            by_site: dict[Site, list[Cell]] = {(each.line, each.column): [] for each in found.imports}
            for number, use in enumerate(found.uses):
                if use.site is not None and number not in flow.annotations and not (apart and use.site in roots):
                    by_site.setdefault(use.site, []).append(flow.cell(number))
            firsts = {site: self.cells.join(cells) for site, cells in by_site.items()}
            for one, other in found.twins:
                self.cells.join([firsts.get(one), firsts.get(other)])
            if not apart:
                self.cells.join([cell for site, cell in firsts.items() if site in roots])
            if taken:
                self.cells.join([*taken, *firsts.values()])

    def _join_shared(self) -> None:
        """What the process has once joins all that can run in one process."""
        programs = self.programs()
        by_program: dict[int, list[Cell]] = {}
        for path, cell in self.shared:
            by_program.setdefault(programs[path], []).append(cell)
        for path, flow in self.files.items():
            cells = by_program.get(programs[path])
            if cells:
                torch = [flow.cell(number) for number in range(len(flow.cells)) if number not in flow.annotations]
                self.cells.join([*cells, *torch])
                del cells[1:]

    def programs(self) -> dict[str, int]:
        """By file: a number that those share which import one another, also by way of others."""
        cells = Cells()
        numbers = {path: cells.new() for path in self.files}
        by_module: dict[str, Cell] = {}
        for path, flow in self.files.items():
            by_module.setdefault(flow.file.module, numbers[path])
        for path, flow in self.files.items():
            same = by_module[flow.file.module] if flow.file.module else None
            cells.join([numbers[path], same, *(by_module.get(module) for module in flow.imports)])
        return {path: cells.find(cell) for path, cell in numbers.items()}


_BY_VALUES = ("library", "no_method", "escapes", "runs_text")
"""What hinders only where values pass."""
_OF_OTHERS = frozenset(dir(str) + dir(bytes) + dir(list) + dir(dict) + dir(set)) | {"fix", "mode", "new", "put"}
"""Names of methods that objects of Python have too."""


def is_root(each: Import) -> bool:
    """Whether an import binds `torch` itself, so that dotted names show what is meant."""
    return each.form == "import" and each.name == "torch"


def root_sites(found: FileUses) -> frozenset[Site]:
    return frozenset((each.line, each.column) for each in found.imports if is_root(each))


def separable(found: FileUses) -> bool:
    """Whether some dotted names of a file can change while others stay with torch: that needs an import beside, and
    certainty of what they mean."""
    if PACKAGE in found.bound or any(each.outside and is_root(each) for each in found.imports):
        return False
    roots = root_sites(found)
    return not any(use.site in roots and use.confidence != "certain" for use in found.uses)
