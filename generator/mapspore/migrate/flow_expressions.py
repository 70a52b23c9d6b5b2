"""Where the values of expressions go. Expressions go in, each gives the cell of its value, or None for a number or a
text; what meets in an expression is joined.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterable
from typing import Any

from mapspore.migrate.cells import Cell
from mapspore.migrate.flows import FileFlow, Flows, Method
from mapspore.migrate.variables import PLAIN_CALLS, Variable

TORCH = "torch"
BUILTINS = frozenset(dir(builtins))
ANSWERS = frozenset({"isinstance", "issubclass", "hasattr", "callable"})
"""Functions of Python that give an answer about what they are given together."""
RUNS_TEXT = frozenset({"exec", "eval", "compile"})
PLAIN_METHODS = frozenset({"item", "tolist", "numpy", "size", "dim", "numel"})
"""Methods of tensors that give numbers, or arrays that belong to neither framework."""
STARS = 8
"""Of how many `import *` of a file is asked which of them brings a name."""
PLAIN_ATTRIBUTES = frozenset({"shape", "ndim"})
INDIFFERENT = frozenset({
    "attr", "attrs", "click", "cv2", "matplotlib", "mindspore", "numpy", "pandas", "PIL", "psutil", "pytest",
    "requests", "rich", "scipy", "seaborn", "six", "sklearn", "torchspore", "tqdm", "typing_extensions", "yaml",
})  # fmt: skip
"""Libraries beside Python's own that know nothing of torch: they hand values on, or take them as arrays."""


class Frame:
    """A scope while it is read."""

    def __init__(
        self, names: dict[str, Variable], gives: Cell | None = None, own: Cell | None = None, of_class: bool = False
    ) -> None:
        self.names = names
        self.of_class = of_class
        self.gives = gives
        """What a function returns."""
        self.own = own
        """The class whose body it is, or whose method."""


class ExpressionFlow:
    """Reads the expressions of one file."""

    def __init__(self, flows: Flows, flow: FileFlow) -> None:
        self.flows = flows
        self.flow = flow
        self.cells = flows.cells
        self.variables = flows.variables
        self.frames: list[Frame] = []
        """The scopes in reach, the innermost last."""
        self.stars: list[str] = []
        """Migrated modules of which the file takes all names."""
        self.strange_star = ""
        """A library of which it does."""
        self.apart = 0
        """How many annotations are open."""
        self.dropped: ast.AST | None = None
        """A call whose result nobody takes."""
        self.readers: dict[type, Callable[[Any], Cell | None]] = {
            ast.Constant: self.nothing, ast.Name: self.name, ast.Attribute: self.attribute, ast.Call: self.call,
            ast.Lambda: self.lambda_, ast.ListComp: self.comprehension, ast.SetComp: self.comprehension,
            ast.GeneratorExp: self.comprehension, ast.DictComp: self.comprehension, ast.NamedExpr: self.walrus,
            ast.JoinedStr: self.text, ast.FormattedValue: self.text, ast.Yield: self.given, ast.YieldFrom: self.given,
        }  # fmt: skip

    def read(self, node: ast.AST) -> Cell | None:
        """The cell of an expression's value. Of most kinds it is one with all parts."""
        reader = self.readers.get(type(node))
        if reader is not None:
            return reader(node)
        return self.cells.join([self.read(part) for part in ast.iter_child_nodes(node)])

    def nothing(self, node: ast.AST) -> None:
        return None

    def text(self, node: ast.AST) -> None:
        for part in ast.iter_child_nodes(node):
            self.read(part)

    def given(self, node: ast.Yield | ast.YieldFrom) -> Cell | None:
        value = self.read(node.value) if node.value is not None else None
        return self.cells.join([self.frames[-1].gives, value])

    # Names.

    def look_up(self, name: str) -> Variable | None:
        """The variable that a name means; None for what Python itself has."""
        inner = self.frames[-1]
        for frame in reversed(self.frames):
            if name in frame.names and (frame is inner or not frame.of_class):  # methods do not see their class's names
                return frame.names[name]
        if name in BUILTINS:
            return None
        top = self.frames[0].names
        variable = top[name] = self.variables.of(self.flow.file.module or self.flow.file.path, name)
        variable.foreign, variable.plain, variable.unknown = self.strange_star, False, not self.stars
        if len(self.stars) > STARS:
            self.flows.hinder(variable.cell, self.flow, ast.Name(name, lineno=1, col_offset=0), name, "star")
            return variable
        for module in self.stars:
            self.variables.link(variable, self.variables.of(module, name))
        return variable

    def name(self, node: ast.Name) -> Cell | None:
        numbers = self.flow.at.get(id(node))
        if numbers is not None:
            return self.used(node, numbers, [self.base(node)])
        return self.read_variable(node)

    def read_variable(self, node: ast.Name) -> Cell | None:
        variable = self.look_up(node.id)
        if variable is None:
            return None
        if variable.foreign:
            return self.stranger(node, variable.foreign)
        return self.escaped(node, self.variables.read(variable))

    def escaped(self, node: ast.AST, cell: Cell) -> Cell:
        """A value; if it is a module of torch, nobody can follow what is taken from it."""
        if (node.lineno, node.col_offset + 1) in self.flow.escapes:  # type: ignore[attr-defined]
            self.handed_on(node, cell)
        return cell

    def handed_on(self, node: ast.AST, cell: Cell) -> None:
        """A module of torch as a value: whoever has it may do anything with it."""
        self.flows.hinder(self.cells.open(cell), self.flow, node, TORCH, "escapes", at_line(node))
        self.flows.shared.append((self.flow.file.path, cell))

    def stranger(self, node: ast.AST, library: str, cells: Iterable[Cell | None] = ()) -> Cell | None:
        """A value of a library: some pass on what they are given, of others nobody knows what they make of it."""
        cell = self.cells.join(cells)
        if indifferent(library):
            return None if cell is None else self.cells.open(cell)
        cell = self.cells.open(self.cells.new() if cell is None else cell)
        self.flows.hinder(cell, self.flow, node, library, "library")
        return cell

    def dotted(self, node: ast.expr) -> Variable | str | None:
        """What a dotted name means: a name of a migrated module, or a library; None if it is neither."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        variable = self.look_up(node.id) if isinstance(node, ast.Name) else None
        if variable is None:
            return None
        if not variable.module:
            return variable.foreign or None
        module = variable.module
        while names:
            name = names.pop()
            if f"{module}.{name}" not in self.flows.modules:
                return self.variables.of(module, name)
            module = f"{module}.{name}"
        return None

    def attribute(self, node: ast.Attribute) -> Cell | None:
        numbers = self.flow.at.get(id(node))
        if numbers is not None:
            return self.used(node, numbers, [self.base(node)])
        meant = self.dotted(node)
        if isinstance(meant, str):
            return self.stranger(node, meant)
        if meant is not None:
            return self.variables.read(meant)
        cell = self.read(node.value)
        if cell is None or node.attr in PLAIN_ATTRIBUTES:
            return None
        return self.escaped(node, cell)

    def base(self, node: ast.expr) -> Cell | None:
        """What stands before the dots of a use, or for all of it, if that is a value instead of an import."""
        use = self.flow.found.uses[self.flow.at[id(node)][0]]
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return self.read(node)
        variable = self.look_up(node.id)
        imported = use.site is not None or bool(use.via)
        return None if imported and not (variable and variable.foreign) else self.read_variable(node)

    # Uses of torch.

    def used(self, node: ast.AST, numbers: list[int], cells: Iterable[Cell | None]) -> Cell | None:
        """Uses that meet values."""
        cell = self.cells.join(cells)
        cell = self.cells.open(self.cells.new() if cell is None else cell)
        for number in numbers:
            use = self.flow.found.uses[number]
            self.flow.cells[number] = cell
            if self.apart:
                self.flow.annotations.add(number)
            elif use.path.startswith(SHARED):
                self.flows.shared.append((self.flow.file.path, cell))
        if isinstance(node, ast.Call):  # `getattr(torch, "abs")`
            name = self.flow.found.uses[numbers[0]].path
            self.flows.hinder(cell, self.flow, node, name, "by_text")
        return None if self.apart else cell

    def share(self, node: ast.AST) -> None:
        """A use that acts on the process as a whole: its result is dropped, or it is a mode."""
        for number in self.flow.at.get(id(node), ()):
            cell = self.flow.cells[number]
            if cell is not None:
                self.flows.shared.append((self.flow.file.path, cell))

    # Calls.

    def call(self, node: ast.Call) -> Cell | None:
        dropped, self.dropped = self.dropped is node, None
        func = node.func
        arguments = [self.read(each) for each in node.args]
        arguments += [self.read(each.value) for each in node.keywords]
        numbers = self.flow.at.get(id(node))
        if numbers is not None:
            return self.used(node, numbers, arguments)
        numbers = self.flow.at.get(id(func))
        if numbers is not None and not isinstance(func, ast.Call):
            return self.call_torch(node, numbers, arguments, dropped)
        if isinstance(func, ast.Name):
            variable = self.look_up(func.id)
            if variable is None:
                return self.call_builtin(node, func.id, arguments)
            if variable.foreign:
                return self.made(self.stranger(node, variable.foreign, arguments))
            named = self.read_variable(func) or self.cells.new()
            return self.cells.call(self.cells.open(named) if variable.unknown else named, arguments)
        if isinstance(func, ast.Attribute):
            return self.call_attribute(node, func, arguments)
        callee = self.read(func)
        return self.cells.join(arguments) if callee is None else self.cells.call(callee, arguments)

    def made(self, cell: Cell | None) -> Cell:
        """What a library gives: an object of its own, if it is nothing that was handed to it."""
        return self.cells.new() if cell is None else cell

    def call_torch(
        self, node: ast.Call, numbers: list[int], arguments: list[Cell | None], dropped: bool
    ) -> Cell | None:
        func = node.func
        base = self.base(func)
        use = self.flow.found.uses[numbers[0]]
        cell = self.used(func, numbers, [base, *arguments])
        alone = all(each is None for each in (base, *arguments))
        kind = self.flows.rules.known.get(use.path, [""])[0]
        asked = not (node.args or node.keywords) and kind == "function"
        if base is None and ((dropped and alone) or asked or use.path.rpartition(".")[2].startswith("set_")):
            self.share(func)
        plain = isinstance(func, ast.Attribute) and func.attr in PLAIN_METHODS and base is not None
        return None if plain else cell

    def call_builtin(self, node: ast.Call, name: str, arguments: list[Cell | None]) -> Cell | None:
        if name in PLAIN_CALLS:
            return None
        if name == "super":
            return next((frame.own for frame in reversed(self.frames) if frame.own is not None), None)
        cell = self.cells.join(arguments)
        if name in RUNS_TEXT:
            cell = self.cells.new() if cell is None else cell
            self.flows.hinder(cell, self.flow, node, name, "runs_text")
            self.flows.shared.append((self.flow.file.path, cell))
        if cell is None:
            return None if name in ANSWERS else self.cells.new()
        self.cells.open(cell)
        return None if name in ANSWERS else cell

    def call_attribute(self, node: ast.Call, func: ast.Attribute, arguments: list[Cell | None]) -> Cell | None:
        meant = self.dotted(func)
        if isinstance(meant, str):
            return self.made(self.stranger(node, meant, arguments))
        if meant is not None:
            return self.cells.call(self.variables.read(meant), arguments)
        base = self.read(func.value)
        if base is not None:
            place = (func.end_lineno or func.lineno, (func.end_col_offset or 0) - len(func.attr.encode()) + 1)
            self.flows.methods.append(Method(base, self.flow.file.path, *place, func.attr))
        cell = self.cells.join([base, *arguments])
        if cell is not None:
            self.cells.open(cell)
        return None if base is not None and func.attr in PLAIN_METHODS else cell

    # Scopes of their own.

    def walrus(self, node: ast.NamedExpr) -> Cell | None:
        value = self.read(node.value)
        variable = self.look_up(node.target.id)
        if variable is not None:
            self.variables.bind(variable, value)
        return value

    def parameters(self, arguments: ast.arguments) -> dict[str, Variable]:
        """Variables for what a function takes."""
        listed = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
        names = {each.arg: self.variables.new() for each in listed if each is not None}
        for variable in names.values():
            variable.plain, variable.unknown = False, True
        return names

    def lambda_(self, node: ast.Lambda) -> Cell:
        function = self.cells.new()
        takes, gives = self.cells.signature(function)
        defaults = [self.read(each) for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None]
        names = self.parameters(node.args)
        self.cells.join([takes, *defaults, *(variable.cell for variable in names.values())])
        self.frames.append(Frame(names, gives, self.frames[-1].own))
        self.cells.join([gives, self.read(node.body)])
        self.frames.pop()
        return function

    def comprehension(self, node: Any) -> Cell | None:
        names = {
            part.id: self.variables.new()
            for each in node.generators
            for part in ast.walk(each.target)
            if isinstance(part, ast.Name)
        }
        around = self.frames[-1]
        first = self.read(node.generators[0].iter)
        self.frames.append(Frame(names, around.gives, around.own))
        for number, each in enumerate(node.generators):
            source = each.iter
            value = self.read(source) if number else first
            counted = isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range"
            for part in ast.walk(each.target):
                if isinstance(part, ast.Name):
                    self.variables.bind(names[part.id], value, () if counted else None)
            for condition in each.ifs:
                self.read(condition)
        parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        found = self.cells.join([self.read(part) for part in parts])
        self.frames.pop()
        return found


def at_line(node: ast.AST) -> tuple[tuple[str, str], ...]:
    """The line for a sentence that names it."""
    return (("line", str(getattr(node, "lineno", 1))),)


SHARED = ("torch.distributed.", "torch.random.", "torch.save", "torch.load")
"""What the process, or the disk, has once, whoever calls it."""


def indifferent(library: str) -> bool:
    """Whether a library knows nothing of torch."""
    top = library.partition(".")[0]
    return top in sys.stdlib_module_names or top in INDIFFERENT
