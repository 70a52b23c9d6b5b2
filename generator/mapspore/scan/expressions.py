"""Reading expressions: each reads its parts, so that no use is missed, and tells what it stands for."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mapspore.scan.found import Linked
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.uses import TENSOR, Scope, Uses
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
            ast.FormattedValue: self.only_expression, ast.Starred: self.only_expression, ast.Await: self.awaited,
            ast.Yield: self.optional_expression, ast.YieldFrom: self.only_expression, ast.Slice: self.slice_,
        }  # fmt: skip

    def bind(self, name: str, value: Value, fine: bool = False) -> None:
        if name == "mindspore" and not fine:
            self.bound = True
        if name in self.globals:
            value = assigned(value)
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
        value = assigned(self.expressions[type(node.value)](node.value))
        self.bind(node.target.id, value)
        return value

    def lambda_(self, node: ast.Lambda) -> Value:
        arguments = node.args
        self.defaults(arguments)
        inside: Scope = {
            each.arg: None
            for each in (*positional(arguments), *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
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


def assigned(value: Value) -> Value:
    """What a name stands for after an assignment: the same, but no longer as an import."""
    return Ref(value.path, None, value.sure, True) if type(value) is Ref and not value.assigned else value


def positional(arguments: ast.arguments) -> list[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args]
