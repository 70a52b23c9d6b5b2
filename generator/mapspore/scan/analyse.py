"""Analyse: the text of one file and the rules go in, its uses of torch come out, with what each call meets.

Names are resolved as Python does: scopes, imports wherever they stand, aliases, attributes of `self`, branches.
Function bodies are read after the code around them, because that is when they run. Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from mapspore.scan.expressions import Expressions, assigned, positional, replaced
from mapspore.scan.file_uses import FileUses, Import, Linked, Use
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.scopes import MISSING, ClassScope, Ends, Scope, add_ends, in_order
from mapspore.scan.uses import OURS, TENSOR
from mapspore.scan.values import NOTHING, Instance, Own, Ref, Value, merge


def analyse(
    tree: ast.Module,
    lines: list[str],
    rules: Ruleset,
    module: str = "",
    package: bool = False,
    packages: frozenset[str] = frozenset(),
    linked: Linked | None = None,
) -> FileUses:
    """Read one module. `packages` are the top-level names that are scanned too; `linked` is what they give."""
    reader = _Reader(lines, rules, module, package, packages, linked or {})
    reader.read(tree)
    found = reader.found()
    reader.statements.clear()  # they point back to the reader, which would otherwise outlive its file
    reader.expressions.clear()
    return found


class _Reader(Expressions):
    """Reads statements, in the order in which Python runs them."""

    def __init__(
        self, lines: list[str], rules: Ruleset, module: str, package: bool, packages: frozenset[str], linked: Linked
    ) -> None:
        super().__init__(lines, rules, module, package, packages, linked)
        self.statements: dict[type, Callable[[Any], None]] = {
            ast.Import: self.import_, ast.ImportFrom: self.import_from, ast.Assign: self.assign,
            ast.AnnAssign: self.annotated, ast.AugAssign: self.augmented, ast.Expr: self.expression_statement,
            ast.Return: self.only_value, ast.FunctionDef: self.function, ast.AsyncFunctionDef: self.function,
            ast.ClassDef: self.class_, ast.If: self.if_, ast.For: self.for_, ast.AsyncFor: self.for_,
            ast.While: self.while_, ast.With: self.with_, ast.AsyncWith: self.with_, ast.Try: self.try_,
            ast.TryStar: self.try_, ast.Global: self.global_, ast.Nonlocal: self.nonlocal_, ast.Pass: self.nothing,
            ast.Break: self.nothing, ast.Continue: self.nothing, ast.Delete: self.delete, ast.Match: self.match,
            ast.Raise: self.raise_, ast.Assert: self.assert_,
        }  # fmt: skip
        if sys.version_info >= (3, 12):
            self.statements[ast.TypeAlias] = self.only_value

    def read(self, tree: ast.Module) -> None:
        self.body(tree.body)
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            for node, env, own in waiting:
                self.run(node, env, own)

    def found(self) -> FileUses:
        exports = {name: (value.path, value.sure) for name, value in self.top.items() if type(value) is Ref}
        return FileUses(
            self.certain(), exports, list(self.stars), list(self.takes), self.imports, self.escapes,
            frozenset(self.bound), self.twins, self.patched_by_name, self.nodes,
        )  # fmt: skip

    def certain(self) -> list[Use]:
        """The uses; what the file itself puts something else in the place of is less than certain."""
        if not self.patched and not self.rebound:
            return self.uses
        return [
            use._replace(confidence="likely") if use.path in self.patched or use.site in self.rebound else use
            for use in self.uses
        ]

    def body(self, statements: Iterable[ast.stmt]) -> None:
        table = self.statements
        for statement in statements:
            table[type(statement)](statement)

    def nothing(self, node: ast.stmt) -> None:
        pass

    def expression_statement(self, node: ast.Expr) -> None:
        value = node.value
        kind = type(value)
        if kind is ast.Call:
            self.call(value, "dropped")  # type: ignore[arg-type]
        elif kind is not ast.Constant:
            self.expressions[kind](value)

    def only_value(self, node: Any) -> None:
        if node.value is not None:
            self.expressions[type(node.value)](node.value)

    def raise_(self, node: ast.Raise) -> None:
        for part in (node.exc, node.cause):
            if part is not None:
                self.expressions[type(part)](part)

    def assert_(self, node: ast.Assert) -> None:
        self.test(node.test)
        if node.msg is not None:
            self.expressions[type(node.msg)](node.msg)

    def import_(self, node: ast.Import) -> None:
        for alias in node.names:
            path = alias.name
            first = path.partition(".")[0]
            name = alias.asname or first
            if first == "torch":
                site = (alias.lineno, alias.col_offset)
                self.imports.append(Import(*site, path, name, "import", name in self.elsewhere))
                self.bind(name, Ref(path if alias.asname else first, site))
            elif first in self.packages:
                self.bind(name, Ref(path if alias.asname else first))
            else:
                self.bind(name, None, path == name or not alias.asname)

    def import_from(self, node: ast.ImportFrom) -> None:
        module = self.absolute(node)
        first = module.partition(".")[0]
        ours = first in self.packages and bool(module)
        torch = first == "torch" and not node.level
        for alias in node.names:
            if alias.name == "*":
                if torch:
                    if module in self.rules.modules:
                        self.wild[module] = None
                    self.imports.append(Import(alias.lineno, alias.col_offset, module, "*", "star"))
                elif ours:
                    self.take_all(module)
                else:
                    self.strangers = True
                continue
            path, name = f"{module}.{alias.name}", alias.asname or alias.name
            if torch:
                site = (alias.lineno, alias.col_offset)
                self.imports.append(Import(*site, path, name, "from", name in self.elsewhere))
                self.bind(name, Ref(path, site))
            elif ours:
                self.bind(name, Ref(path))
            else:
                self.bind(name, None)

    def take_all(self, module: str) -> None:
        """`import *` from a scanned module; of two that bring the same name, the first is followed."""
        self.takes[f"{module}.*"] = None
        if module not in self.stars:
            self.stars[module] = None
            for name in self.by_module.get(module, ()):
                self.starred.setdefault(name, Ref(f"{module}.{name}"))

    def absolute(self, node: ast.ImportFrom) -> str:
        """The module that is imported from; a relative one is told from where the file lies."""
        if not node.level:
            return node.module or ""
        parts = self.module.split(".") if self.module else []
        up = node.level - (1 if self.package else 0)
        base = parts[: len(parts) - up] if up <= len(parts) else []
        return ".".join([*base, *([node.module] if node.module else [])])

    def assign(self, node: ast.Assign) -> None:
        source, targets = node.value, node.targets
        if len(targets) == 1 and type(source) is ast.Tuple:
            for part, value in self.pairs(targets[0], source):
                self.target(part, value)
            return
        unpacked = all(type(each) in (ast.Tuple, ast.List) for each in targets)
        given = assigned(self.parts(source) if unpacked else self.expressions[type(source)](source))
        for each in targets:
            self.target(each, given)

    def pairs(self, target: ast.expr, source: ast.expr) -> list[tuple[ast.expr, Value]]:
        """What each target receives: part by part where both sides are written out."""
        if (
            type(target) is ast.Tuple and type(source) is ast.Tuple and len(target.elts) == len(source.elts)
            and not any(type(part) is ast.Starred for part in target.elts)
        ):  # fmt: skip
            return [pair for parts in zip(target.elts, source.elts, strict=True) for pair in self.pairs(*parts)]
        return [(target, assigned(self.expressions[type(source)](source)))]

    def annotated(self, node: ast.AnnAssign) -> None:
        declared = self.declared(node.annotation)
        value = self.expressions[type(node.value)](node.value) if node.value is not None else None
        self.target(node.target, declared if value is None or value is NOTHING else assigned(value))

    def augmented(self, node: ast.AugAssign) -> None:
        value = self.expressions[type(node.value)](node.value)
        target = node.target
        if type(target) is ast.Name:
            known = self.look_up(target.id)
            tensor = next((v for v in (known, value) if type(v) is Instance and v.of == TENSOR), None)
            self.bind(target.id, tensor)
        else:
            self.expressions[type(target)](target)

    def delete(self, node: ast.Delete) -> None:
        for each in node.targets:
            if type(each) is not ast.Name:
                self.target(each, None)
            elif type(self.scope) is ClassScope:  # what is outside shows again
                self.scope.drop(each.id)
            else:
                self.bind(each.id, None)

    def global_(self, node: ast.Global) -> None:
        if self.scope is not self.top:
            self.elsewhere.update(dict.fromkeys(node.names, self.top))

    def nonlocal_(self, node: ast.Nonlocal) -> None:
        for name in node.names:
            home = next((scope for scope in self.env[1:-1] if name in scope), None)
            if home is not None:
                self.elsewhere[name] = home

    def function(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.expressions[type(decorator)](decorator)
        self.defaults(node.args)
        self.type_parameters(node)
        if node.returns is not None:
            self.declared(node.returns)
        self.bind(node.name, None)
        env = self.env
        own = None
        if self.own is not None:
            env = env[1:]  # methods do not see the names of their class
            own = None if any(_is(d, "staticmethod") for d in node.decorator_list) else self.own
        self.waiting.append((node, env, own))

    def type_parameters(self, node: Any) -> None:
        for each in getattr(node, "type_params", ()):
            if getattr(each, "bound", None) is not None:
                self.declared(each.bound)

    def run(self, node: Any, env: tuple[Scope, ...], own: Own | None) -> None:
        """The body of a function, with its parameters."""
        scope = Scope()
        arguments = node.args
        self.env, self.scope, self.elsewhere = env, scope, {}
        for argument in (*positional(arguments), *arguments.kwonlyargs):
            annotation = argument.annotation
            scope[argument.arg] = None if annotation is None else self.declared(annotation)
        for argument in (arguments.vararg, arguments.kwarg):
            if argument is not None:
                if argument.annotation is not None:
                    self.declared(argument.annotation)
                scope[argument.arg] = None
        if own is not None:
            first = next(iter(positional(arguments)), None)
            if first is not None:
                scope[first.arg] = own
        self.bound |= OURS & scope.keys()
        self.env = (scope, *env)
        outer, self.waiting = self.waiting, []
        self.own = None
        self.body(node.body)
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            for inner, around, owner in waiting:
                self.run(inner, around, owner)
        self.waiting = outer

    def class_(self, node: ast.ClassDef) -> None:
        for part in node.decorator_list:
            self.expressions[type(part)](part)
        self.type_parameters(node)
        own = Own()
        for part in node.bases:
            before = len(self.uses)
            base = self.expressions[type(part)](part)
            if type(base) is Own:
                own.bases.append(base)
            if len(self.uses) == before + 1:
                self.uses[before] = self.subclassed(self.uses[before])
        for keyword in node.keywords:
            self.expressions[type(keyword.value)](keyword.value)
        around = self.env[1:] if type(self.scope) is ClassScope else self.env
        kept = self.env, self.scope, self.own, self.waiting, self.elsewhere
        inside = ClassScope()
        methods: list[tuple[Any, tuple[Scope, ...], Own | None]] = []
        self.env, self.scope, self.own, self.waiting, self.elsewhere = (inside, *around), inside, own, methods, {}
        self.body(node.body)
        own.attributes.update((name, self.shared(value, node)) for name, value in inside.items() if value is not None)
        self.env, self.scope, self.own, self.waiting, self.elsewhere = kept
        methods.sort(key=lambda each: getattr(each[0], "name", "") != "__init__")  # stable: the constructor first
        self.waiting.extend(methods)
        self.bind(node.name, own)

    def shared(self, value: Value, node: ast.ClassDef) -> Value:
        """A name of a class body as an attribute, which its methods reach through `self`, not as the import."""
        if type(value) is Ref and value.site is not None:
            self.escapes.append((value.site, node.lineno, node.col_offset + 1))
        return assigned(value)

    def if_(self, node: ast.If) -> None:
        self.test(node.test)
        self.branches([partial(self.body, node.body), partial(self.body, node.orelse)])

    def branches(self, parts: list[Callable[[], None]], prepare: Callable[[int], None] | None = None) -> None:
        """Parts of which one runs: what they bind is merged, an earlier one first. What `prepare` binds before a part
        holds for that part and all that follow."""
        scope = self.scope
        start = scope.mark()
        ends: Ends = {}
        for number, part in enumerate(parts):
            if prepare is not None:
                mark = scope.mark()
                prepare(number)
                add_ends(ends, number, True, scope.changes(mark))
            mark = scope.mark()
            part()
            add_ends(ends, number, False, scope.take_back(mark))
        scope.take_back(start)
        for name, listed in ends.items():
            values = list(in_order(scope.get(name, MISSING), listed, len(parts)))
            if values:
                scope.put(name, self.merged(values))

    def merged(self, values: list[Value]) -> Value:
        value = values[0]
        for other in values[1:]:
            if other is not value:
                if type(value) is Ref and type(other) is Ref and value.site and other.site:
                    self.twins.append((value.site, other.site))
                value = merge(value, other)
        return value

    def for_(self, node: Any) -> None:
        self.expressions[type(node.iter)](node.iter)
        self.target(node.target, None)
        self.branches([partial(self.loop, node.body), partial(self.body, ())])
        self.body(node.orelse)

    def while_(self, node: ast.While) -> None:
        self.test(node.test)
        self.branches([partial(self.loop, node.body), partial(self.body, ())])
        self.body(node.orelse)

    def loop(self, statements: list[ast.stmt]) -> None:
        """What may run again, then with the names that it has bound itself."""
        start, first = self.scope.mark(), len(self.uses)
        self.body(statements)
        rebound = {
            value.site
            for name, value in self.scope.before(start).items()
            if type(value) is Ref and value.site is not None and replaced(value, self.scope.get(name))
        }
        if rebound:
            self.uses[first:] = [
                use._replace(confidence="likely") if use.site in rebound else use for use in self.uses[first:]
            ]

    def with_(self, node: Any) -> None:
        for item in node.items:
            value = self.expressions[type(item.context_expr)](item.context_expr)
            if item.optional_vars is not None:
                self.target(item.optional_vars, value if type(value) is Instance else None)
        self.body(node.body)

    def try_(self, node: Any) -> None:
        for handler in node.handlers:
            if handler.type is not None:
                self.expressions[type(handler.type)](handler.type)
        changed: dict[str, Value] = {}

        def main() -> None:
            start = self.scope.mark()
            self.body(node.body)
            known = (name for name, value in self.scope.before(start).items() if value is not MISSING)
            changed.update((name, self.scope.get(name)) for name in known)
            self.body(node.orelse)

        def prepare(number: int) -> None:
            """How far the body came before an exception is not known."""
            if number == 1:
                for name, value in changed.items():
                    self.scope.put(name, merge(self.scope[name], value))

        self.branches([main, *(partial(self.handler, handler) for handler in node.handlers)], prepare)
        self.body(node.finalbody)

    def handler(self, node: ast.ExceptHandler) -> None:
        """What runs after an exception, whose name is gone afterwards."""
        if node.name is not None:
            self.bind(node.name, None)
        self.body(node.body)
        if node.name is not None:
            self.scope.drop(node.name)

    def match(self, node: ast.Match) -> None:
        self.expressions[type(node.subject)](node.subject)
        kept: list[str] = []

        def prepare(number: int) -> None:
            """A pattern may have bound names although its guard then said no."""
            for name in kept:
                self.bind(name, merge(self.scope.get(name), None))
            kept.clear()

        self.branches([*(partial(self.case, case, kept) for case in node.cases), partial(self.body, ())], prepare)

    def case(self, node: ast.match_case, kept: list[str]) -> None:
        for part in ast.walk(node.pattern):
            for read in _read_by(part):
                self.expressions[type(read)](read)
            name = getattr(part, "name", None) or getattr(part, "rest", None)
            if isinstance(name, str):
                self.bind(name, None)
                if node.guard is not None:
                    kept.append(name)
        if node.guard is not None:
            self.test(node.guard)
        self.body(node.body)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _read_by(pattern: ast.AST) -> list[ast.expr]:
    """The expressions that a pattern itself compares with."""
    if isinstance(pattern, ast.MatchValue):
        return [pattern.value]
    if isinstance(pattern, ast.MatchClass):
        return [pattern.cls]
    return pattern.keys if isinstance(pattern, ast.MatchMapping) else []
