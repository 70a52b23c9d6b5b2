"""Analyse: the text of one file and the rules go in, its uses of torch come out, with what each call meets.

Names are resolved as Python does: scopes, imports wherever they stand, aliases, attributes of `self`, branches.
Function bodies are read after the code around them, because that is when they run. Nothing is imported or executed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from mapspore.kinds import Kind
from mapspore.scan.calls import Judged, judge, only_always
from mapspore.scan.codes import KIND_CODES, Confidence
from mapspore.scan.ruleset import Api, Ruleset
from mapspore.scan.values import NOTHING, Instance, Member, Own, Ref, Value, merge

Scope = dict[str, Value]
Linked = Mapping[str, tuple[str, str]]
"""By dotted name in scanned modules: what of torch it stands for, and the module that imports that."""


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
    site: tuple[int, int] | None
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


class Found(NamedTuple):
    """What one file holds."""

    uses: list[Use]
    exports: dict[str, str]
    """Names of the module that stand for something of torch, or of another scanned module."""
    stars: list[str]
    """Modules whose names it takes over with `import *`."""
    takes: list[str]
    """What it takes from scanned modules, dotted."""
    imports: list[Import]
    escapes: list[tuple[tuple[int, int], int, int]]
    """Modules of torch that are handed on as values: where the import stands, and where it happens."""
    bound: bool
    """Whether the file uses the name `mindspore` for something of its own."""


def analyse(
    tree: ast.Module,
    lines: list[str],
    rules: Ruleset,
    module: str = "",
    package: bool = False,
    packages: frozenset[str] = frozenset(),
    linked: Linked | None = None,
) -> Found:
    """Read one module. `packages` are the top-level names that are scanned too; `linked` is what they give."""
    reader = _Reader(lines, rules, module, package, packages, linked or {})
    reader.read(tree)
    found = reader.found()
    reader.statements.clear()  # they point back to the reader, which would otherwise outlive its file
    reader.expressions.clear()
    return found


class _Reader:
    def __init__(
        self, lines: list[str], rules: Ruleset, module: str, package: bool, packages: frozenset[str],
        linked: Linked,
    ) -> None:  # fmt: skip
        self.lines = lines
        self.rules = rules
        self.module = module
        self.package = package
        self.packages = packages
        self.linked = linked
        self.top: Scope = {}
        self.env: tuple[Scope, ...] = (self.top,)
        self.scope: Scope = self.top
        self.wild: list[str] = []
        self.stars: list[str] = []
        self.waiting: list[tuple[Any, tuple[Scope, ...], Own | None]] = []
        self.uses: list[Use] = []
        self.takes: dict[str, None] = {}
        self.imports: list[Import] = []
        self.escapes: list[tuple[tuple[int, int], int, int]] = []
        self.globals: set[str] = set()
        self.own: Own | None = None
        self.bound = False
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
        self.expressions: dict[type, Callable[[Any], Value]] = {
            ast.Constant: self.constant, ast.Name: self.name, ast.Attribute: self.attribute, ast.Call: self.call,
            ast.Lambda: self.lambda_, ast.ListComp: self.comprehension, ast.SetComp: self.comprehension,
            ast.GeneratorExp: self.comprehension, ast.DictComp: self.comprehension, ast.NamedExpr: self.walrus,
            ast.IfExp: self.if_expression, ast.BinOp: self.binary, ast.UnaryOp: self.unary,
            ast.Subscript: self.subscript, ast.Compare: self.compare, ast.BoolOp: self.all_of, ast.Tuple: self.items,
            ast.List: self.items, ast.Set: self.items, ast.Dict: self.dict_, ast.JoinedStr: self.all_of,
            ast.FormattedValue: self.only_expression, ast.Starred: self.only_expression, ast.Await: self.awaited,
            ast.Yield: self.optional_expression, ast.YieldFrom: self.only_expression, ast.Slice: self.slice_,
        }  # fmt: skip

    def read(self, tree: ast.Module) -> None:
        self.body(tree.body)
        while self.waiting:
            waiting, self.waiting = self.waiting, []
            for node, env, own in waiting:
                self.run(node, env, own)

    def found(self) -> Found:
        exports = {name: value.path for name, value in self.top.items() if isinstance(value, Ref)}
        return Found(self.uses, exports, self.stars, list(self.takes), self.imports, self.escapes, self.bound)

    # Statements.

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
            self.call(value, False)  # type: ignore[arg-type]
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
                self.imports.append(Import(*site, path, name, "import"))
                self.bind(name, Ref(path if alias.asname else first, site))
            elif first in self.packages:
                self.takes[path] = None
                self.bind(name, Ref(path if alias.asname else first))
            else:
                self.bind(name, None, first == "mindspore")

    def import_from(self, node: ast.ImportFrom) -> None:
        module = self.absolute(node)
        first = module.partition(".")[0]
        ours = first in self.packages and bool(module)
        torch = first == "torch" and not node.level
        for alias in node.names:
            if alias.name == "*":
                if torch:
                    self.wild.append(module)
                    self.imports.append(Import(alias.lineno, alias.col_offset, module, "*", "star"))
                elif ours:
                    self.stars.append(module)
                    self.takes[f"{module}.*"] = None
                continue
            path, name = f"{module}.{alias.name}", alias.asname or alias.name
            if torch:
                site = (alias.lineno, alias.col_offset)
                self.imports.append(Import(*site, path, name, "from"))
                self.bind(name, Ref(path, site))
            elif ours:
                self.takes[path] = None
                self.bind(name, Ref(path))
            else:
                self.bind(name, None)

    def absolute(self, node: ast.ImportFrom) -> str:
        """The module that is imported from; a relative one is told from where the file lies."""
        if not node.level:
            return node.module or ""
        parts = self.module.split(".") if self.module else []
        up = node.level - (1 if self.package else 0)
        base = parts[: len(parts) - up] if up <= len(parts) else []
        return ".".join([*base, *([node.module] if node.module else [])])

    def bind(self, name: str, value: Value, fine: bool = False) -> None:
        if name == "mindspore" and not fine:
            self.bound = True
        if name in self.globals:
            value = _assigned(value)
            self.top[name] = merge(value, self.top.get(name)) if self.scope is not self.top else value
        else:
            self.scope[name] = value

    def target(self, node: ast.expr, value: Value) -> None:
        """An assignment to a name, an attribute of `self`, or anything else, whose parts are read."""
        kind = type(node)
        if kind is ast.Name:
            self.bind(node.id, value)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            base = self.chain(node.value)  # type: ignore[attr-defined]
            if type(base) is Ref:  # `torch.backends.cudnn.benchmark = True`
                self.attribute(node)  # type: ignore[arg-type]
            elif type(base) is Own:
                known = base.attributes
                name = node.attr  # type: ignore[attr-defined]
                known[name] = merge(value, known[name]) if name in known else value
        elif kind is ast.Tuple or kind is ast.List:
            for part in node.elts:  # type: ignore[attr-defined]
                self.target(part, None)
        elif kind is ast.Starred:
            self.target(node.value, None)  # type: ignore[attr-defined]
        else:
            self.expressions[kind](node)

    def assign(self, node: ast.Assign) -> None:
        source, targets = node.value, node.targets
        first = targets[0]
        if (
            type(first) is ast.Tuple and type(source) is ast.Tuple and len(targets) == 1
            and len(first.elts) == len(source.elts) and not any(type(part) is ast.Starred for part in first.elts)
        ):  # fmt: skip
            values = [_assigned(self.expressions[type(part)](part)) for part in source.elts]
            for part, value in zip(first.elts, values, strict=True):
                self.target(part, value)
            return
        given = _assigned(self.expressions[type(source)](source))
        for each in targets:
            self.target(each, given)

    def annotated(self, node: ast.AnnAssign) -> None:
        declared = self.expressions[type(node.annotation)](node.annotation)
        value = self.expressions[type(node.value)](node.value) if node.value is not None else None
        if value is None or value is NOTHING:
            value = self.instance(declared)
        self.target(node.target, value)

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
            if type(each) is ast.Name:
                self.scope.pop(each.id, None)
            else:
                self.expressions[type(each)](each)

    def global_(self, node: ast.Global) -> None:
        self.globals.update(node.names)

    def nonlocal_(self, node: ast.Nonlocal) -> None:
        pass

    def function(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.expressions[type(decorator)](decorator)
        self.defaults(node.args)
        if node.returns is not None:
            self.expressions[type(node.returns)](node.returns)
        self.bind(node.name, None)
        env = self.env
        own = None
        if self.own is not None:
            env = env[1:]  # methods do not see the names of their class
            own = None if any(_is(d, "staticmethod") for d in node.decorator_list) else self.own
        self.waiting.append((node, env, own))

    def defaults(self, arguments: ast.arguments) -> None:
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.expressions[type(default)](default)

    def run(self, node: Any, env: tuple[Scope, ...], own: Own | None) -> None:
        """The body of a function, with its parameters."""
        scope: Scope = {}
        arguments = node.args
        self.env, self.scope, self.globals = env, scope, set()
        for argument in (*_positional(arguments), *arguments.kwonlyargs):
            annotation = argument.annotation
            declared = None if annotation is None else self.expressions[type(annotation)](annotation)
            scope[argument.arg] = None if declared is None else self.instance(declared)
        for argument in (arguments.vararg, arguments.kwarg):
            if argument is not None:
                if argument.annotation is not None:
                    self.expressions[type(argument.annotation)](argument.annotation)
                scope[argument.arg] = None
        if own is not None:
            first = next(iter(_positional(arguments)), None)
            if first is not None:
                scope[first.arg] = own
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
        for part in node.bases:
            before = len(self.uses)
            self.expressions[type(part)](part)
            if len(self.uses) == before + 1:
                self.uses[before] = self.subclassed(self.uses[before])
        for keyword in node.keywords:
            self.expressions[type(keyword.value)](keyword.value)
        around = self.env[1:] if self.own is not None else self.env
        kept = self.env, self.scope, self.own, self.waiting
        inside: Scope = {}
        own = Own()
        methods: list[tuple[Any, tuple[Scope, ...], Own | None]] = []
        self.env, self.scope, self.own, self.waiting = (inside, *around), inside, own, methods
        self.body(node.body)
        own.attributes.update((name, value) for name, value in inside.items() if value is not None)
        self.env, self.scope, self.own, self.waiting = kept
        methods.sort(key=lambda each: getattr(each[0], "name", "") != "__init__")  # stable: the constructor first
        self.waiting.extend(methods)
        self.bind(node.name, None)

    def subclassed(self, use: Use) -> Use:
        """A base class: what the subclass overrides may have another name in MindSpore, and would be passed over."""
        rule = self.rules.rules.get(use.rule)
        if rule is None or use.called or rule["kind"] != "class" or rule["runtime"]:
            return use
        return use._replace(open=["class"])

    def if_(self, node: ast.If) -> None:
        self.test(node.test)
        self.branches([node.body, node.orelse])

    def branches(self, bodies: list[list[ast.stmt]]) -> None:
        """Bodies of which one runs: what they bind is merged, an earlier one first."""
        scope = self.scope
        start = dict(scope)
        ends: list[Scope] = []
        for body in bodies:
            if ends:
                scope.clear()
                scope.update(start)
            if body:
                self.body(body)
            ends.append(dict(scope))
        for name in {name: None for end in ends for name in end}:
            values = [end[name] for end in ends if name in end]
            value = values[0]
            for other in values[1:]:
                if other is not value:
                    value = merge(value, other)
            scope[name] = value

    def for_(self, node: Any) -> None:
        self.expressions[type(node.iter)](node.iter)
        self.target(node.target, None)
        self.body(node.body)
        self.body(node.orelse)

    def while_(self, node: ast.While) -> None:
        self.test(node.test)
        self.body(node.body)
        self.body(node.orelse)

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
        bodies = [[*node.body, *node.orelse]]
        for handler in node.handlers:
            bodies.append(handler.body)
        self.branches(bodies) if node.handlers else self.body(bodies[0])
        for handler in node.handlers:
            if handler.name is not None:
                self.scope[handler.name] = None
        self.body(node.finalbody)

    def match(self, node: ast.Match) -> None:
        self.expressions[type(node.subject)](node.subject)
        for case in node.cases:
            for part in ast.walk(case.pattern):
                if isinstance(part, (ast.MatchValue,)):
                    self.expressions[type(part.value)](part.value)
                elif isinstance(part, ast.MatchClass):
                    self.expressions[type(part.cls)](part.cls)
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.bind(name, None)
            if case.guard is not None:
                self.test(case.guard)
        self.branches([*(case.body for case in node.cases), []])

    # Expressions: each reads its parts and tells what it stands for.

    def constant(self, node: ast.Constant) -> Value:
        return NOTHING if node.value is None else None

    def look_up(self, name: str) -> Value:
        for scope in self.env:
            if name in scope:
                return scope[name]
        for module in self.wild:
            path = f"{module}.{name}"
            if path in self.rules.known or path in self.rules.names or path in self.rules.modules:
                return Ref(path)
        for module in self.stars:
            path = f"{module}.{name}"
            if path in self.linked:
                return Ref(path)
        return None

    def name(self, node: ast.Name) -> Value:
        value = self.look_up(node.id)
        if type(value) is Ref:
            return self.record(node, value, None, True)
        return value

    def attribute(self, node: ast.Attribute) -> Value:
        value = self.chain(node)
        return self.record(node, value, None, True) if type(value) is Ref else self.of_instance(node, value, None)

    def chain(self, node: Any) -> Value:
        """What a dotted name stands for, without counting it as a use."""
        kind = type(node)
        if kind is ast.Name:
            return self.look_up(node.id)
        if kind is not ast.Attribute:
            return self.expressions[kind](node)
        inner = node.value
        kind = type(inner)
        if kind is ast.Name:
            base = self.look_up(inner.id)
        elif kind is ast.Attribute:
            base = self.chain(inner)
            if type(base) is Member:
                base = self.of_instance(inner, base, None)
        else:
            base = self.expressions[kind](inner)
        if base is None:
            return None
        kind = type(base)
        if kind is Ref:
            return Ref(f"{base.path}.{node.attr}", base.site, base.sure)  # type: ignore[union-attr]
        if kind is Own:
            return base.attributes.get(node.attr)  # type: ignore[union-attr]
        if kind is Instance:
            return Member(base.of, node.attr)  # type: ignore[union-attr]
        return None

    def of_instance(self, node: Any, value: Value, call: ast.Call | None, used: bool = True) -> Value:
        """A method or property of something made by torch."""
        if type(value) is not Member:
            return value
        api = self.rules.member(value.of, value.name)
        if api is None:
            return None
        self.use(node, api, call, used, False, None, "", True)
        gives = self.rules.gives(api.path)
        if call is not None:
            return Instance(gives) if gives else None
        return Instance(TENSOR) if value.of == TENSOR and value.name in ("T", "mT", "data", "grad", "real") else None

    def call(self, node: ast.Call, used: bool = True) -> Value:
        func = node.func
        kind = type(func)
        value: Any = self.chain(func) if kind is ast.Name or kind is ast.Attribute else self.expressions[kind](func)
        result: Value = None
        if value is not None:
            kind = type(value)
            if kind is Ref:
                result = self.record(func, value, node, used)
            elif kind is Member:
                result = self.of_instance(func, value, node, used)
        expressions = self.expressions
        for argument in node.args:
            kind = type(argument)
            if kind is not ast.Constant:
                expressions[kind](argument)
        for keyword in node.keywords:
            kind = type(keyword.value)
            if kind is not ast.Constant:
                expressions[kind](keyword.value)
        return result

    def test(self, node: ast.expr) -> None:
        """A condition: a module that is only asked whether it is there does not get away."""
        kind = type(node)
        if kind is ast.Name:
            return
        if kind is ast.UnaryOp:
            self.test(node.operand)  # type: ignore[attr-defined]
        elif kind is ast.BoolOp:
            for part in node.values:  # type: ignore[attr-defined]
                self.test(part)
        else:
            self.expressions[kind](node)

    def compare(self, node: ast.Compare) -> Value:
        parts = (node.left, *node.comparators)
        asked = any(type(part) is ast.Constant and part.value is None for part in parts)
        for part in parts:
            if not (asked and type(part) is ast.Name):
                self.expressions[type(part)](part)
        return None

    def all_of(self, node: Any) -> Value:
        for part in node.values:
            self.expressions[type(part)](part)
        return None

    def items(self, node: Any) -> Value:
        for part in node.elts:
            self.expressions[type(part)](part)
        return None

    def dict_(self, node: ast.Dict) -> Value:
        for part in (*node.keys, *node.values):
            if part is not None:
                self.expressions[type(part)](part)
        return None

    def only_expression(self, node: Any) -> Value:
        self.expressions[type(node.value)](node.value)
        return None

    def optional_expression(self, node: Any) -> Value:
        if node.value is not None:
            self.expressions[type(node.value)](node.value)
        return None

    def awaited(self, node: ast.Await) -> Value:
        return self.expressions[type(node.value)](node.value)

    def slice_(self, node: ast.Slice) -> Value:
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                self.expressions[type(part)](part)
        return None

    def subscript(self, node: ast.Subscript) -> Value:
        value = self.expressions[type(node.value)](node.value)
        self.expressions[type(node.slice)](node.slice)
        return value if type(value) is Instance and value.of == TENSOR else None

    def binary(self, node: ast.BinOp) -> Value:
        left = self.expressions[type(node.left)](node.left)
        right = self.expressions[type(node.right)](node.right)
        for value in (left, right):
            if type(value) is Instance and value.of == TENSOR:
                return value
        return None

    def unary(self, node: ast.UnaryOp) -> Value:
        value = self.expressions[type(node.operand)](node.operand)
        return value if type(value) is Instance and value.of == TENSOR else None

    def if_expression(self, node: ast.IfExp) -> Value:
        self.test(node.test)
        return merge(self.expressions[type(node.body)](node.body), self.expressions[type(node.orelse)](node.orelse))

    def walrus(self, node: ast.NamedExpr) -> Value:
        value = _assigned(self.expressions[type(node.value)](node.value))
        self.bind(node.target.id, value)
        return value

    def lambda_(self, node: ast.Lambda) -> Value:
        arguments = node.args
        self.defaults(arguments)
        inside: Scope = {
            each.arg: None
            for each in (*_positional(arguments), *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
            if each is not None
        }
        self.inside(inside, lambda: self.expressions[type(node.body)](node.body))
        return None

    def comprehension(self, node: Any) -> Value:
        def read() -> None:
            for generator in node.generators:
                self.expressions[type(generator.iter)](generator.iter)
                self.target(generator.target, None)
                for condition in generator.ifs:
                    self.test(condition)
            for part in (node.key, node.value) if type(node) is ast.DictComp else (node.elt,):
                self.expressions[type(part)](part)

        self.inside({}, read)
        return None

    def inside(self, scope: Scope, read: Callable[[], Any]) -> None:
        env, outer = self.env, self.scope
        self.env, self.scope = (scope, *env), scope
        read()
        self.env, self.scope = env, outer

    # Uses.

    def instance(self, declared: Value) -> Value:
        """What an annotation says of a value."""
        if type(declared) is Ref:
            api = self.rules.api(declared.path)
            if api is not None and not api.rest and self.rules.known.get(api.path, [""])[0] == "class":
                return Instance(api.path)
        return None

    def record(self, node: Any, value: Ref, call: ast.Call | None, used: bool) -> Value:
        """A use through a name: what it is, and what its call meets and gives."""
        if value.assigned and call is None:
            return value
        path, via = value.path, ""
        if not (path.startswith("torch.") or path == "torch"):
            path, via = self.across(path)
            if not path:
                return None if call is not None else value
        api = self.rules.api(path)
        if api is None:
            if call is None and value.site is not None:
                self.escapes.append((value.site, node.lineno, node.col_offset + 1))
            return Ref(path, value.site, value.sure) if call is None else None
        self.use(node, api, call, used, value.sure, value.site, via, False)
        if call is None:
            return Ref(path, value.site, value.sure)
        gives = self.rules.gives(path if api.rest else api.path)
        return Instance(gives) if gives else None

    def across(self, path: str) -> tuple[str, str]:
        """What another scanned module means by a name, and which module that is."""
        linked = self.linked
        if linked:
            prefix, rest = path, ""
            while prefix:
                found = linked.get(prefix)
                if found is not None:
                    return found[0] + rest, found[1]
                prefix, _, last = prefix.rpartition(".")
                rest = f".{last}{rest}"
        return "", ""

    def use(
        self, node: Any, api: Api, call: ast.Call | None, used: bool, sure: bool, site: tuple[int, int] | None,
        via: str, inferred: bool,
    ) -> None:  # fmt: skip
        rule = api.rule
        confidence = "likely" if inferred or not sure else "certain"
        called = call is not None and not api.rest
        judged = _NOTHING_MET
        if rule is not None:
            if called:
                assert call is not None
                judged = judge(call, rule, used)
            else:
                judged = _referred(rule, api.rest)
        line, column = node.lineno, node.col_offset
        end_line, end = node.end_lineno, node.end_col_offset
        if not self.lines[line - 1].isascii():
            column = _characters(self.lines[line - 1], column)
        if not self.lines[end_line - 1].isascii():
            end = _characters(self.lines[end_line - 1], end)
        self.uses.append(
            Use(
                line, column + 1, end_line, end + 1, api.path, api.name if rule is not None else "", api.rest,
                judged.form, judged.met, judged.open, judged.refused, judged.simple, called, confidence, site, via,
            )
        )  # fmt: skip


TENSOR = "torch.Tensor"
BEHAVES = KIND_CODES[Kind.BEHAVIOUR]
_NOTHING_MET = Judged(-1, [], [], [], [])


def _referred(rule: dict[str, Any], rest: str) -> Judged:
    """A function that is named without being called can be called in any way; a class or a constant just is."""
    if rest or not rule["forms"]:
        return _NOTHING_MET
    checks = rule["forms"][0]["checks"] or ()
    always, more = only_always(checks)
    if rule["kind"] != "function":  # what a class does differently may concern a subclass or an instance
        return Judged(0, [(at, "possible") for at in always if checks[at]["code"] == BEHAVES], [], [], [])
    return Judged(0, [(at, "certain") for at in always], ["()"] if more else [], [], [])


def _characters(line: str, offset: int) -> int:
    """The column in characters of an offset in bytes."""
    return len(line.encode("utf-8")[:offset].decode("utf-8", "replace"))


def _assigned(value: Value) -> Value:
    """What a name stands for after an assignment: the same, but no longer as an import."""
    return Ref(value.path, None, value.sure, True) if type(value) is Ref and not value.assigned else value


def _positional(arguments: ast.arguments) -> list[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args]


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
