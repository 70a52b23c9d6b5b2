"""The code that modules reach, by function. In: the source files of a package and the modules to start from. Out: one
digest of every function, class and value that those modules can reach within the package.

Only what runs counts: comments, docstrings, annotations and the paths of imports are left out, so that a module can be
moved or renamed without changing the digest. A class counts as a whole. Nothing is imported or run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from mapspore.base.cache import digest_of
from mapspore.evidence.source_files import SourceFiles

DIRECTORY = ("__getattr__", "__dir__", "__all__")
"""What a package has that finds its names when they are asked for."""

Definition = tuple[str, str]
"""A name defined at the top level of a module: the module's dotted name, and the name."""
FIELDED = ("NamedTuple", "TypedDict")
"""Bases that make fields of the names that a class annotates."""
Line = tuple[str, tuple[Definition, ...]]
"""What a digest takes of a definition, and the definitions that it refers to."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that code reads, with the attribute it asks that name for, if any."""

    name: str
    attribute: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """The statements that define one name: their digest, and what they refer to."""

    digest: str
    references: frozenset[Reference]
    imports: dict[str, Definition]
    """Names that the statements import themselves."""
    modules: tuple[str, ...] = ()
    """Modules of the package that the statements name in a string, to import them later."""


@dataclass(slots=True)
class Module:
    """A source file: what its top level defines and imports, and the statements that do something when it is loaded."""

    definitions: dict[str, Code] = field(default_factory=dict)
    imports: dict[str, Definition] = field(default_factory=dict)
    """By name here: the module it comes from and its name there, which is empty for the module itself."""
    effects: Code | None = None


class SourceTree:
    """The modules of a package, read when they are reached."""

    def __init__(self, files: SourceFiles) -> None:
        self._files = files
        self._modules: dict[str, Module | None] = {}
        self._lines: dict[Definition, Line] = {}

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_module_at(path) for path in self._files.paths)

    def digest(self, modules: Iterable[str]) -> str:
        """One digest of all that some modules reach; modules that do not exist count as empty. One that only offers
        what it imports, such as a class of the runtime, stands for that."""
        return self.digest_of(each for name in modules for each in self._offered(name))

    def _offered(self, name: str) -> list[Definition]:
        module = self._module(name)
        if module is None:
            return []
        own = [(name, each) for each in module.definitions]
        return own or [found for each in module.imports if (found := self._find((name, each)))]

    def digest_of(self, definitions: Iterable[Definition]) -> str:
        """One digest of all that some definitions reach."""
        return _digest(sorted(self._parts(definitions)))

    def _parts(self, start: Iterable[Definition]) -> Iterator[str]:
        """A line per definition that is reached: its digest, and by name the digests of what it refers to."""
        waiting, seen, loaded = list(start), set(), set()
        while waiting:
            definition = waiting.pop()
            if definition in seen:
                continue
            seen.add(definition)
            home, _ = definition
            found = [self._line(definition)]
            if home not in loaded:
                loaded.add(home)
                module = self._module(home)
                found += [self._line((home, ""))] if module is not None and module.effects is not None else []
            for line, reached in found:
                waiting += reached
                yield line

    def _line(self, definition: Definition) -> Line:
        """The line of a definition; without a name, that of what a module does when it is loaded."""
        if definition not in self._lines:
            home, name = definition
            module = self._module(home)
            assert module is not None
            code = module.definitions[name] if name else module.effects
            assert code is not None
            links = self._links(home, module, code)
            named = sorted({f"{label}={self._code(each).digest}" for label, each in links})
            reached = tuple(dict.fromkeys(each for _, each in links))
            self._lines[definition] = " ".join([name, code.digest, *named]), reached
        return self._lines[definition]

    def _links(self, home: str, module: Module, code: Code) -> list[tuple[str, Definition]]:
        """What code refers to within the package, each under the name that it uses."""
        imports = module.imports | code.imports
        links: list[tuple[str, Definition]] = []
        for reference in code.references:
            if reference.name in module.definitions and reference.name not in code.imports:
                found = self._read((home, reference.name), reference.attribute)
            elif reference.name in imports:
                found = self._imported(imports[reference.name], reference.attribute)
            else:
                continue
            links += [(f"{reference.name}.{reference.attribute}", each) for each in found]
        return links

    def _imported(self, source: Definition, attribute: str) -> list[Definition]:
        """The definitions behind an imported name, or behind an attribute of an imported module."""
        home, name = source
        if name and (inner := f"{home}.{name}") in self._names and not self._find((home, name)):
            home, name = inner, ""
        if name:
            found = self._find((home, name))
            return self._read(found, attribute) if found else []
        if home not in self._names:
            return []
        if not attribute:
            return self._whole(home)
        found = self._find((home, attribute))
        return [found] if found else []

    def _read(self, definition: Definition, attribute: str) -> list[Definition]:
        """A definition; and if it names modules in strings, the attribute in each, or all of them without one."""
        named = self._code(definition).modules
        if not attribute:
            return [definition, *(each for name in named for each in self._whole(name))]
        inner = (self._find((name, attribute)) for name in named)
        return [definition, *(each for each in inner if each)]

    def _whole(self, home: str) -> list[Definition]:
        """All of a module; of a package that finds its names when they are asked for, not the table of where they are:
        an entry names what it stands for itself."""
        module = self._module(home)
        if module is None:
            return []
        table: set[str] = set()
        waiting = [name for name in DIRECTORY if "__getattr__" in module.definitions]
        while waiting:
            name = waiting.pop()
            if name in module.definitions and name not in table:
                table.add(name)
                waiting += [reference.name for reference in module.definitions[name].references]
        return [(home, name) for name in module.definitions if name not in table]

    def _find(self, definition: Definition) -> Definition | None:
        """Where a name is defined that a module may have imported itself."""
        home, name = definition
        for _ in range(len(self._names) + 1):
            module = self._module(home)
            if module is None:
                return None
            if name in module.definitions:
                return home, name
            if name not in module.imports:
                return (home, "__getattr__") if "__getattr__" in module.definitions else None
            home, name = module.imports[name]
        return None

    def _code(self, definition: Definition) -> Code:
        module = self._module(definition[0])
        assert module is not None
        return module.definitions[definition[1]]

    def _module(self, name: str) -> Module | None:
        if name not in self._modules:
            self._modules[name] = self._parse(name) if name in self._names else None
        return self._modules[name]

    def _parse(self, name: str) -> Module:
        path = name.replace(".", "/")
        inside = f"{path}/__init__.py" in self._files.paths
        text = self._files.text(f"{path}/__init__.py" if inside else f"{path}.py")
        return _Reader(name, inside, self._names).read(ast.parse(text))


def _module_at(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


class _Reader:
    """Reads one parsed module."""

    def __init__(self, name: str, is_package: bool, known: frozenset[str]) -> None:
        self._package = name if is_package else name.rpartition(".")[0]
        self._known = known
        self._statements: dict[ast.stmt, Code] = {}

    def read(self, tree: ast.Module) -> Module:
        module = Module()
        defining: dict[str, list[ast.stmt]] = {}
        effects: list[ast.stmt] = []
        for imported in _for_checkers(tree.body):  # a package whose names are loaded late says there where they stand
            module.imports |= self._imports(imported)
        for statement in _that_run(tree.body):
            if isinstance(statement, ast.Import | ast.ImportFrom):
                module.imports |= self._imports(statement)
                continue
            names = list(_bound(statement))
            for name in names:
                defining.setdefault(name, []).append(statement)
            for inner in ast.walk(statement) if isinstance(statement, ast.If | ast.Try) else ():
                if isinstance(inner, ast.Import | ast.ImportFrom):
                    module.imports |= self._imports(inner)
            if not names:
                effects.append(statement)
        module.definitions = {name: self._code(statements) for name, statements in defining.items()}
        module.definitions.pop("__all__", None)
        module.effects = self._code(effects) if effects else None
        return module

    def _imports(self, statement: ast.Import | ast.ImportFrom) -> dict[str, Definition]:
        if isinstance(statement, ast.Import):
            return {
                alias.asname or alias.name.partition(".")[0]:
                (alias.name if alias.asname else alias.name.partition(".")[0], "")
                for alias in statement.names
            }  # fmt: skip
        home = statement.module or ""
        if statement.level:
            parts = self._package.split(".")
            above = parts[: len(parts) - statement.level + 1]
            home = ".".join([*above, home] if home else above)
        return {alias.asname or alias.name: (home, alias.name) for alias in statement.names}

    def _code(self, statements: list[ast.stmt]) -> Code:
        """The code of one name, of which there may be several definitions."""
        each = [self._statement(statement) for statement in statements]
        return Code(
            _digest(code.digest for code in each),
            frozenset(reference for code in each for reference in code.references),
            {name: source for code in each for name, source in code.imports.items()},
            tuple(dict.fromkeys(name for code in each for name in code.modules)),
        )

    def _statement(self, statement: ast.stmt) -> Code:
        if statement in self._statements:  # it defines several names
            return self._statements[statement]
        bare = _Bare(self._known).visit(statement)
        nodes = list(ast.walk(bare))
        imports: dict[str, Definition] = {}
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                imports |= self._imports(node)
            if getattr(node, "type_params", None) == []:  # a field that Python 3.11 does not have
                del node.type_params  # type: ignore[attr-defined]
        modules = tuple(node.module for node in nodes if isinstance(node, _NamedModule))
        references = frozenset(_references(bare))
        code = Code(_digest([ast.dump(_WithoutPaths().visit(bare))]), references, imports, modules)
        return self._statements.setdefault(statement, code)


def _digest(parts: Iterable[str]) -> str:
    return digest_of(["\n".join(parts).encode()])


def _that_run(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements without docstrings, and without what only a type checker reads."""
    for statement in body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, ast.If) and ast.unparse(statement.test).endswith("TYPE_CHECKING"):
            yield from _that_run(statement.orelse)
            continue
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            continue
        yield statement


def _for_checkers(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that only type checkers follow, relative or absolute."""
    for statement in body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test).endswith("TYPE_CHECKING"):
            yield from (each for each in statement.body if isinstance(each, ast.Import | ast.ImportFrom))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a top-level statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.If | ast.Try | ast.With | ast.For | ast.While):
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                yield from _bound(child)
            elif isinstance(child, ast.ExceptHandler):
                for inner in child.body:
                    yield from _bound(inner)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _references(tree: ast.AST) -> Iterator[Reference]:
    """Every name that is read; of a name followed by an attribute, with it."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield Reference(node.value.id, node.attr)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield Reference(node.id)
        waiting += ast.iter_child_nodes(node)


class _NamedModule(ast.expr):
    """A string that names a module of the package."""

    _fields = ()

    def __init__(self, module: str) -> None:
        super().__init__()
        self.module = module


class _Bare(ast.NodeTransformer):
    """Takes docstrings and annotations out of functions and classes, and marks strings that name modules."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known

    def _body(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        node.body = [*_that_run(node.body)] or [ast.Pass()]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._body(node)
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self._body(node)
        node.returns = None
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if not _has_fields(node):
            node.body = [each for each in node.body if not isinstance(each, ast.AnnAssign) or each.value is not None]
        self._body(node)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)  # a field of a class is its name, in order, and its default
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, str) and "." in value and (value in self._known or self._is_inner(value)):
            return _NamedModule(value)
        return node

    def _is_inner(self, text: str) -> bool:
        """Whether it names a module that only the package itself knows, also where there is none by that name now."""
        top, *inner = text.split(".")
        named = all(part.isidentifier() for part in inner) and any(part[:1] == "_" for part in inner)
        return named and any(known.partition(".")[0] == top for known in self._known)


def _has_fields(node: ast.ClassDef) -> bool:
    """Whether names that a class only annotates may become something: a decorator or a base sees to that."""
    return bool(node.decorator_list) or any(ast.unparse(base).endswith(FIELDED) for base in node.bases)


class _WithoutPaths(ast.NodeTransformer):
    """Leaves of an import the names that it binds."""

    def visit_Import(self, node: ast.Import) -> ast.AST:
        return ast.Import([ast.alias(alias.asname or alias.name.rpartition(".")[2]) for alias in node.names])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return ast.Import([ast.alias(alias.asname or alias.name) for alias in node.names])
