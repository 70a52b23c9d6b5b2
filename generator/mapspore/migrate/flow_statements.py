"""Where values go in a file, statement by statement. A syntax tree and what `scan` found in it go in; the cells of all
its uses of torch come out, in the `FileFlow`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from mapspore.migrate.cells import Cell
from mapspore.migrate.flow_expressions import TORCH, ExpressionFlow, Frame
from mapspore.migrate.flows import FileFlow, Flows
from mapspore.migrate.variables import Variable, bound_names, plain_names


def read_flow(tree: ast.Module, flows: Flows, flow: FileFlow) -> None:
    """Read one file."""
    reader = _StatementFlow(flows, flow)
    reader.module(tree)
    reader.statements.clear()  # they point back to the reader, which would otherwise outlive its file
    reader.readers.clear()


class _StatementFlow(ExpressionFlow):
    def __init__(self, flows: Flows, flow: FileFlow) -> None:
        super().__init__(flows, flow)
        self.statements: dict[type, Callable[[Any], None]] = {
            ast.Import: self.import_, ast.ImportFrom: self.import_from, ast.Assign: self.assign,
            ast.AnnAssign: self.annotated, ast.AugAssign: self.augmented, ast.Expr: self.dropped_value,
            ast.Return: self.return_, ast.FunctionDef: self.function, ast.AsyncFunctionDef: self.function,
            ast.ClassDef: self.class_, ast.For: self.for_, ast.AsyncFor: self.for_, ast.With: self.with_,
            ast.AsyncWith: self.with_, ast.Match: self.match,
        }  # fmt: skip

    def module(self, tree: ast.Module) -> None:
        file = self.flow.file
        home = file.module or file.path
        self.frames = [Frame({name: self.variables.of(home, name) for name in bound_names(tree.body)})]
        self.flow.unevaluated = any(
            isinstance(each, ast.ImportFrom)
            and each.module == "__future__"
            and any(alias.name == "annotations" for alias in each.names)
            for each in tree.body
        )
        self.body(tree.body)

    def body(self, statements: Iterable[ast.AST]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.AST) -> None:
        reader = self.statements.get(type(node))
        if reader is not None:
            reader(node)
            return
        for part in ast.iter_child_nodes(node):
            if isinstance(part, (ast.stmt, ast.excepthandler, ast.match_case)):
                self.statement(part)
            elif isinstance(part, ast.expr):
                self.read(part)

    # Imports.

    def bound(self, name: str) -> Variable:
        """The variable that a statement binds."""
        variable = self.look_up(name)
        if variable is None:
            variable = self.frames[-1].names[name] = self.variables.new()
        return variable

    def import_(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            variable = self.bound(alias.asname or first)
            if first in self.flows.packages:
                variable.module = alias.name if alias.asname else first
                self.imports(alias.name)
                continue
            variable.plain = False
            if first != TORCH:
                variable.foreign = first

    def imports(self, module: str) -> None:
        """Importing a module runs it, and the packages that it is in."""
        while module:
            if module in self.flows.modules:
                self.flow.imports[module] = None
            module = module.rpartition(".")[0]

    def import_from(self, node: ast.ImportFrom) -> None:
        module = absolute(node, self.flow)
        first = module.partition(".")[0]
        if first == TORCH and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    self.bound(alias.asname or alias.name).plain = False
            return
        ours = first in self.flows.packages
        if ours:
            self.imports(module)
        for alias in node.names:
            if alias.name == "*":
                if ours:
                    self.stars.append(module)
                else:
                    self.strange_star = module or "."
                continue
            variable = self.bound(alias.asname or alias.name)
            if not ours:
                variable.foreign, variable.plain = module or ".", False
            elif f"{module}.{alias.name}" in self.flows.modules:
                variable.module = f"{module}.{alias.name}"
                self.imports(variable.module)
            else:
                self.variables.link(variable, self.variables.of(module, alias.name))

    # Values.

    def dropped_value(self, node: ast.Expr) -> None:
        self.dropped = node.value
        self.read(node.value)
        self.dropped = None

    def assign(self, node: ast.Assign) -> None:
        pairs: list[tuple[ast.expr, ast.expr]] = [(each, node.value) for each in node.targets]
        if len(pairs) == 1:
            target, source = pairs[0]
            if isinstance(target, ast.Tuple) and isinstance(source, ast.Tuple) and len(target.elts) == len(source.elts):
                pairs = list(zip(target.elts, source.elts, strict=True))
        value: Cell | None = None
        known: ast.expr | None = None
        for target, source in pairs:
            if source is not known:
                value, known = self.read(source), source
            self.store(target, value, self.sources(source))

    def sources(self, node: ast.expr) -> list[Variable] | None:
        """What a plain value is reckoned from; None for one that is not."""
        names = plain_names(node)
        if names is None:
            return None
        return [variable for variable in map(self.look_up, names) if variable is not None]

    def store(self, node: ast.expr, value: Cell | None, sources: list[Variable] | None = None) -> None:
        """Put a value where an assignment puts it."""
        if isinstance(node, ast.Name):
            self.variables.bind(self.bound(node.id), value, sources)
        elif isinstance(node, ast.Starred):
            self.store(node.value, value)
        elif isinstance(node, (ast.Tuple, ast.List)):
            for part in node.elts:
                self.store(part, value)
        elif isinstance(node, ast.Attribute):
            self.store_attribute(node, value)
        else:
            self.cells.join([self.read(node), value])

    def store_attribute(self, node: ast.Attribute, value: Cell | None) -> None:
        numbers = self.flow.at.get(id(node))
        if numbers is not None:  # `torch.backends.cudnn.benchmark = True`
            cell = self.used(node, numbers, [self.base(node), value])
            use = self.flow.found.uses[numbers[0]]
            if use.site is not None and cell is not None:
                self.flows.hinder(cell, self.flow, node, use.path, "replaced")
                self.share(node)
            return
        meant = self.dotted(node)
        if isinstance(meant, Variable):
            self.variables.bind(meant, value)
        elif meant is None:
            self.cells.join([self.read(node.value), value])
            if self.frames[-1].own is not None:
                self.flows.own.add(node.attr)

    def annotated(self, node: ast.AnnAssign) -> None:
        self.annotation(node.annotation)
        if node.value is not None:
            self.store(node.target, self.read(node.value), self.sources(node.value))
        elif self.frames[-1].of_class and isinstance(node.target, ast.Name):
            self.flows.own.add(node.target.id)

    def annotation(self, node: ast.expr | None) -> None:
        if node is not None:
            self.apart += 1
            self.read(node)
            self.apart -= 1

    def augmented(self, node: ast.AugAssign) -> None:
        self.store(node.target, self.read(node.value), self.sources(node.value))

    def return_(self, node: ast.Return) -> None:
        if node.value is not None:
            self.cells.join([self.frames[-1].gives, self.read(node.value)])

    # Blocks.

    def for_(self, node: ast.For | ast.AsyncFor) -> None:
        source = node.iter
        counted = isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range"
        self.store(node.target, self.read(source), [] if counted else None)
        self.body(node.body)
        self.body(node.orelse)

    def with_(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.read(item.context_expr)
            self.mode(item.context_expr)
            if item.optional_vars is not None:
                self.store(item.optional_vars, value)
        self.body(node.body)

    def mode(self, node: ast.expr) -> None:
        """A use of torch in a `with` or as a decorator changes how others run."""
        self.share(node.func if isinstance(node, ast.Call) else node)

    def match(self, node: ast.Match) -> None:
        subject = self.read(node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.variables.bind(self.bound(name), subject)
                if isinstance(part, ast.expr) and type(part) in (ast.Attribute, ast.Name):
                    self.cells.join([subject, self.read(part)])
            if case.guard is not None:
                self.read(case.guard)
            self.body(case.body)

    # Definitions.

    def function(self, node: Any) -> None:
        variable = self.bound(node.name)
        variable.plain = False
        if self.frames[-1].of_class:
            self.flows.own.add(node.name)
        self.decorators(node, variable.cell)
        takes, gives = self.cells.signature(variable.cell)
        arguments = node.args
        defaults = [self.read(each) for each in (*arguments.defaults, *arguments.kw_defaults) if each is not None]
        listed = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        for each in listed:
            if each is not None:
                self.annotation(each.annotation)
        self.annotation(node.returns)
        names = self.parameters(arguments)
        self.cells.join([takes, *defaults, *(each.cell for each in names.values())])
        own = self.frames[-1].own
        self.cells.join([own, *(each.cell for each in names.values())] if self.frames[-1].of_class else ())
        self.inside(node.body, names, Frame(names, gives, own))

    def inside(self, body: list[ast.stmt], known: dict[str, Variable], frame: Frame) -> None:
        """A body with names of its own, but for those that it declares to be of the scopes around."""
        outer: dict[str, Variable] = {}
        for name, everywhere in declared(body):
            home = self.frames[0].names.get(name) if everywhere else self.look_up(name)
            if home is None:
                home = self.frames[0].names[name] = self.variables.of(
                    self.flow.file.module or self.flow.file.path, name
                )
            outer[name] = home
        for name in bound_names(body):
            if name not in known:
                known[name] = outer.get(name) or self.variables.new()
        self.frames.append(frame)
        self.body(body)
        self.frames.pop()

    def decorators(self, node: Any, cell: Cell) -> None:
        for each in node.decorator_list:
            found = self.read(each)
            self.mode(each)
            if found is not None:
                self.cells.open(self.cells.join([cell, found]) or cell)

    def class_(self, node: ast.ClassDef) -> None:
        variable = self.bound(node.name)
        variable.plain = False
        cell = self.cells.open(variable.cell)
        self.decorators(node, cell)
        self.cells.join([cell, *map(self.read, node.bases), *(self.read(each.value) for each in node.keywords)])
        if (node.lineno, node.col_offset + 1) in self.flow.escapes:  # an import in its body
            self.handed_on(node, cell)
        names: dict[str, Variable] = {}
        self.inside(node.body, names, Frame(names, None, cell, True))
        for each in names.values():
            if not each.plain:
                self.cells.join([cell, each.cell])


def declared(body: Iterable[ast.AST]) -> list[tuple[str, bool]]:
    """The names that a body declares to be of the module, or of a function around."""
    found: list[tuple[str, bool]] = []
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            found += [(name, isinstance(node, ast.Global)) for name in node.names]
        elif isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case)) and not isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        ):
            waiting += [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr)]
    return found


def absolute(node: ast.ImportFrom, flow: FileFlow) -> str:
    """The module that is imported from; a relative one is told from where the file lies."""
    if not node.level:
        return node.module or ""
    file = flow.file
    parts = file.module.split(".") if file.module else []
    up = node.level - (1 if file.package else 0)
    base = parts[: len(parts) - up] if up <= len(parts) else []
    return ".".join([*base, *([node.module] if node.module else [])])
