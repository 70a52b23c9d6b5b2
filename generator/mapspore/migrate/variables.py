"""The variables of the modules that are migrated, and which cells they stand for. Names and bindings go in; out come
cells, joined by `settle` when all modules are known.

A variable that only ever holds numbers and texts joins nothing: two flows that read one constant stay apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from mapspore.migrate.cells import Cell, Cells


class Variable:
    """A name of a scope: what it can hold, and where it is read."""

    __slots__ = ("cell", "feeds", "foreign", "module", "plain", "reads", "unknown")

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.reads: list[Cell] = []
        self.plain = True
        """Whether nothing but numbers and texts was bound to it so far."""
        self.feeds: list[Variable] = []
        """Variables that are plain only if this one is."""
        self.unknown = False
        """Whether code that nobody has read may bind it: a parameter, or a name that nothing binds."""
        self.module = ""
        """The migrated module that it names."""
        self.foreign = ""
        """The library that it comes from."""


class Variables:
    """All variables, those of modules by name."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self._global: dict[tuple[str, str], Variable] = {}
        self._all: list[Variable] = []
        self._links: list[tuple[Variable, Variable]] = []

    def new(self) -> Variable:
        variable = Variable(self.cells.new())
        self._all.append(variable)
        return variable

    def of(self, module: str, name: str) -> Variable:
        """A name of a module."""
        known = self._global.get((module, name))
        if known is None:
            known = self._global[module, name] = self.new()
        return known

    def read(self, variable: Variable) -> Cell:
        """A cell for one place where a variable is read."""
        cell = self.cells.new()
        variable.reads.append(cell)
        return cell

    def bind(self, variable: Variable, value: Cell | None, sources: Iterable[Variable] | None = None) -> None:
        """Let a variable hold a value. `sources`: what a value is reckoned from that is plain as far as those are."""
        self.cells.join([variable.cell, value])
        if sources is None:
            variable.plain = False
            return
        for source in sources:
            source.feeds.append(variable)

    def link(self, variable: Variable, other: Variable) -> None:
        """Let a variable be another one under a name of its own."""
        self._links.append((variable, other))
        other.feeds.append(variable)

    def settle(self) -> None:
        """Join what is one, when everything has been read."""
        waiting = [variable for variable in self._all if not variable.plain]
        while waiting:
            for fed in waiting.pop().feeds:
                if fed.plain:
                    fed.plain = False
                    waiting.append(fed)
        for variable in self._all:
            if not variable.plain:
                self.cells.join([variable.cell, *variable.reads])
        for variable, other in self._links:
            if not variable.plain:
                self.cells.join([variable.cell, other.cell])


PLAIN_CALLS = frozenset({
    "bool", "chr", "float", "format", "hash", "hex", "id", "input", "int", "len", "oct", "ord", "print", "range",
    "repr", "round", "str",
})  # fmt: skip
"""Functions of Python that hand on nothing of what they are given, but numbers and texts."""
_PLAIN_NODES = (
    ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.JoinedStr,
    ast.FormattedValue, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context,
)  # fmt: skip


def plain_names(node: ast.expr) -> list[str] | None:
    """The names that a value is reckoned from, if it is a number or a text as far as those are; otherwise None."""
    names: list[str] = []
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name):
            names.append(part.id)
        elif isinstance(part, ast.Call):
            if not (isinstance(part.func, ast.Name) and part.func.id in PLAIN_CALLS):
                return None
        elif isinstance(part, _PLAIN_NODES):
            waiting += ast.iter_child_nodes(part)
        else:
            return None
    return names


def bound_names(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements bind in their own scope; `global` and `nonlocal` ones among them."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
            waiting += node.decorator_list
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, ast.NamedExpr):
            yield node.target.id
            waiting.append(node.value)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield from (each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
        elif not isinstance(node, ast.Lambda):
            name = getattr(node, "name", None) or getattr(node, "rest", None)  # what handlers and patterns bind
            if isinstance(name, str):
                yield name
            waiting += ast.iter_child_nodes(node)
