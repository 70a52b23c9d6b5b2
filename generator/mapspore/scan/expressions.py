"""Reading expressions: each reads its parts, so that no use is missed, and tells what it stands for."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mapspore.scan.file_uses import Linked
from mapspore.scan.judge_call import Taken
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.scopes import ClassScope, InnerScope, Scope
from mapspore.scan.uses import OURS, TENSOR, Uses
from mapspore.scan.values import NOTHING, Instance, Member, Own, Ref, Value, merge


class Expressions(Uses):
    def __init__(
        self, lines: list[str], rules: Ruleset, module: str, package: bool, packages: frozenset[str], linked: Linked
    ) -> None:
        super().__init__(lines, rules, module, package, packages, linked)
        self.expressions: dict[type, Callable[[Any], Value]] = {
            ast.Constant: self.constant, ast.Name: self.name, ast.Attribute: self.attribute, ast.Call: self.call,
            ast.Lambda: self.lambda_, ast.ListComp: self.comprehension, ast.SetComp: self.comprehension,
            ast.GeneratorExp: self.comprehension, ast.DictComp: self.comprehension, ast.NamedExpr: self.walrus,
            ast.IfExp: self.if_expression, ast.BinOp: self.binary, ast.UnaryOp: self.unary,
            ast.Subscript: self.subscript, ast.Compare: self.compare, ast.BoolOp: self.all_of, ast.Tuple: self.items,
            ast.List: self.items, ast.Set: self.items, ast.Dict: self.dict_, ast.JoinedStr: self.all_of,
            ast.FormattedValue: self.formatted, ast.Starred: self.only_expression, ast.Await: self.awaited,
            ast.Yield: self.optional_expression, ast.YieldFrom: self.only_expression, ast.Slice: self.slice_,
        }  # fmt: skip

    def bind(self, name: str, value: Value, fine: bool = False) -> None:
        if name in OURS and not fine:
            self.bound.add(name)
        home = self.elsewhere.get(name)
        if home is None:
            self.scope.put(name, value)
            return
        known = home.get(name)
        if type(known) is Ref and known.site is not None and replaced(known, value):
            self.rebound.add(known.site)
        home.put(name, merge(value, known) if name in home else value)

    def target(self, node: ast.expr, value: Value) -> None:
        """An assignment to a name, an attribute of `self`, or anything else, whose parts are read."""
        kind = type(node)
        if kind is ast.Name:
            self.bind(node.id, value)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            base = self.chain(node.value)  # type: ignore[attr-defined]
            if type(base) is Ref:  # `torch.backends.cudnn.benchmark = True`
                before = len(self.uses)
                self.attribute(node)  # type: ignore[arg-type]
                self.uses[before:] = [use._replace(open=["="]) if use.open else use for use in self.uses[before:]]
                self.patched.add(f"{base.path}.{node.attr}")  # type: ignore[attr-defined]
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

    def defaults(self, arguments: ast.arguments) -> None:
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.expressions[type(default)](default)

    def constant(self, node: ast.Constant) -> Value:
        return NOTHING if node.value is None else None

    def name(self, node: ast.Name) -> Value:
        value = self.look_up(node.id)
        if type(value) is Ref:
            return self.record(node, value, None, "whole")
        return value

    def attribute(self, node: ast.Attribute) -> Value:
        value = self.chain(node)
        return self.record(node, value, None, "whole") if type(value) is Ref else self.of_instance(node, value, None)

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
            if len(base.path) > LONGEST:  # type: ignore[union-attr]
                return None
            return Ref(f"{base.path}.{node.attr}", base.site, base.sure)  # type: ignore[union-attr]
        if kind is Own:
            return base.get(node.attr)  # type: ignore[union-attr]
        if kind is Instance:
            return Member(base.of, node.attr)  # type: ignore[union-attr]
        return None

    def call(self, node: ast.Call, taken: Taken = "whole") -> Value:
        func = node.func
        kind = type(func)
        value: Any
        if kind is ast.Name or kind is ast.Attribute:
            value = self.chain(func)
        else:
            value = (kind is ast.Call and self.by_text(func)) or self.expressions[kind](func)  # type: ignore[arg-type]
        result: Value = None
        if value is None:
            named = self.by_text(node)
            if named is None:
                self.patch(node)
            else:
                result = self.record(node, named, None, "whole")
        else:
            kind = type(value)
            if kind is Ref:
                result = self.record(func, value, node, taken)
            elif kind is Member:
                result = self.of_instance(func, value, node, taken)
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

    def parts(self, node: ast.expr) -> Value:
        """An expression that is unpacked or indexed, so that only its parts matter."""
        return self.call(node, "parts") if type(node) is ast.Call else self.expressions[type(node)](node)

    def by_text(self, node: ast.Call) -> Ref | None:
        """What `getattr(torch, "abs")` or `import_module("torch")` stands for: names that the code has as a text."""
        func = node.func
        name = func.id if type(func) is ast.Name else func.attr if type(func) is ast.Attribute else ""
        if name not in _BY_TEXT or not node.args or type(node.args[-1]) is not ast.Constant:
            return None
        text = node.args[-1].value
        if type(text) is not str:
            return None
        if len(node.args) == 1:
            return Ref(text) if name != "getattr" and text.partition(".")[0] == "torch" else None
        base = self.chain(node.args[0]) if name == "getattr" and len(node.args) == 2 else None
        return Ref(f"{base.path}.{text}", None, base.sure) if type(base) is Ref and text.isidentifier() else None

    def patch(self, node: ast.Call) -> None:
        """`setattr(torch, "abs", …)`, or `patch.object(…)` of a test: something else takes the place of an API."""
        func = node.func
        name = func.id if type(func) is ast.Name else func.attr if type(func) is ast.Attribute else ""
        text = node.args[1] if name in _PATCHES and len(node.args) > 1 else None
        if type(text) is ast.Constant and type(text.value) is str:
            path = f"{self.dotted(node.args[0])}.{text.value}"
            if path.startswith("torch."):
                self.patched.add(path)
                self.patched_by_name.setdefault(path, node.lineno)

    def declared(self, node: ast.expr) -> Value:
        """What an annotation says of a value: an instance of a class of torch, also if it may be `None`."""
        kind = type(node)
        if kind is ast.Constant:
            return self.unquoted(node)  # type: ignore[arg-type]
        if kind is ast.BinOp:
            sides = [self.declared(side) for side in (node.left, node.right)]  # type: ignore[attr-defined]
            return next((side for side in sides if side is not None), None)
        if kind is not ast.Subscript:
            return self.instance(self.expressions[kind](node))
        base, inner = node.value, node.slice  # type: ignore[attr-defined]
        self.expressions[type(base)](base)
        name = base.id if type(base) is ast.Name else base.attr if type(base) is ast.Attribute else ""
        if name == "Literal":
            return None
        found = [self.declared(part) for part in (inner.elts if type(inner) is ast.Tuple else (inner,))]
        return found[0] if found and name in _TRANSPARENT else None

    def unquoted(self, node: ast.Constant) -> Value:
        """An annotation in quotes, which stands where the text stands."""
        if type(node.value) is not str:
            return None
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        for part in ast.walk(inner):
            ast.copy_location(part, node)
        kept, self.quoted = self.quoted, True
        value = self.declared(inner)
        self.quoted = kept
        return value

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

    def formatted(self, node: ast.FormattedValue) -> Value:
        self.expressions[type(node.value)](node.value)
        if node.format_spec is not None:
            self.all_of(node.format_spec)
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
        index = type(node.slice) is ast.Constant and type(node.slice.value) is int
        value = self.parts(node.value) if index else self.expressions[type(node.value)](node.value)
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
        value = assigned(self.expressions[type(node.value)](node.value))
        kept = self.scope
        self.scope = next(scope for scope in self.env if type(scope) is not InnerScope)
        self.bind(node.target.id, value)
        self.scope = kept
        return value

    def lambda_(self, node: ast.Lambda) -> Value:
        arguments = node.args
        self.defaults(arguments)
        inside = Scope()
        for each in (*positional(arguments), *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if each is not None:
                inside[each.arg] = None
        self.bound |= OURS & inside.keys()
        self.inside(inside, lambda: self.expressions[type(node.body)](node.body))
        return None

    def comprehension(self, node: Any) -> Value:
        first = node.generators[0].iter
        self.expressions[type(first)](first)  # the first is read outside

        def read() -> None:
            for generator in node.generators:
                if generator.iter is not first:
                    self.expressions[type(generator.iter)](generator.iter)
                self.target(generator.target, None)
                for condition in generator.ifs:
                    self.test(condition)
            for part in (node.key, node.value) if type(node) is ast.DictComp else (node.elt,):
                self.expressions[type(part)](part)

        self.inside(InnerScope(), read)
        return None

    def inside(self, scope: Scope, read: Callable[[], Any]) -> None:
        env, outer = self.env, self.scope
        around = env[1:] if type(outer) is ClassScope else env
        self.env, self.scope = (scope, *around), scope
        read()
        self.env, self.scope = env, outer


LONGEST = 400
"""Characters of a dotted name that are followed: no API has as many, and assignments can add to a name for ever."""
_BY_TEXT = frozenset({"getattr", "__import__", "import_module"})
_PATCHES = frozenset({"setattr", "object"})
_TRANSPARENT = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired"})
"""What an annotation can stand in without being about something else."""


def replaced(known: Ref, value: Value) -> bool:
    """Whether a value is something else than what a name stood for; `None` is no competitor."""
    return value is not NOTHING and not (type(value) is Ref and value.path == known.path)


def assigned(value: Value) -> Value:
    """What a name stands for after an assignment: the same, but no longer as an import."""
    return Ref(value.path, None, value.sure, True) if type(value) is Ref and not value.assigned else value


def positional(arguments: ast.arguments) -> list[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args]
