"""Python sources and type stubs as declarations: a file goes in, the forms of its functions and classes come
out.

Signatures are read from the syntax tree, not from run-time objects: a default keeps the words it was written
with, and a decorator that hides the arguments does not matter.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from mapspore.facts.snapshot import POSITIONAL_OR_KEYWORD, Parameter, Signature

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Declarations:
    """What one file declares, by qualified name; a name declared several times keeps all of its functions."""

    text: "SourceText"
    functions: dict[str, list[FunctionNode]] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    values: dict[str, ast.expr] = field(default_factory=dict)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    """By class: the public attributes of its instances that have an annotation, with it."""
    by_line: dict[int, str] = field(default_factory=dict)

    def forms(self, qualname: str, *, bound: bool = False) -> tuple[Signature, ...]:
        """The overloads of a function, or its one definition; `bound` drops `self`."""
        nodes = self.functions.get(qualname, [])
        overloads = [node for node in nodes if has_decorator(node, "overload")]
        if not overloads:
            return tuple(self.form(node, bound=bound) for node in nodes[-1:])
        defaults = {p.name: p.default for p in self.form(nodes[-1]).parameters}
        return distinct(_filled(self.form(node, bound=bound), defaults) for node in overloads)

    def form(self, node: FunctionNode, *, bound: bool = False) -> Signature:
        """One definition as a form."""
        drop = bound and (node.name == "__new__" or not has_decorator(node, "staticmethod"))
        parameters = list(self._parameters(node.args))[1 if drop else 0 :]
        return Signature(tuple(public_parameters(parameters)), self.text.of(node.returns) if node.returns else None)

    def dataclass_form(self, qualname: str) -> Signature | None:
        """The constructor that `@dataclass` or a NamedTuple base derives from annotated fields."""
        node = self.classes.get(qualname)
        if node is None or not (has_decorator(node, "dataclass") or _has_base(node, "NamedTuple")):
            return None
        fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
        parameters = [
            Parameter(
                item.target.id,
                default=self.text.of(item.value) if item.value else None,
                annotation=self.text.of(item.annotation),
            )
            for item in fields
            if isinstance(item.target, ast.Name)
        ]
        return Signature(tuple(public_parameters(parameters)))

    def _parameters(self, arguments: ast.arguments) -> Iterator[Parameter]:
        positional = [*arguments.posonlyargs, *arguments.args]
        required = len(positional) - len(arguments.defaults)
        for index, argument in enumerate(positional):
            default = arguments.defaults[index - required] if index >= required else None
            kind = "positional_only" if index < len(arguments.posonlyargs) else "positional_or_keyword"
            yield self._parameter(argument, kind, default)
        if arguments.vararg:
            yield self._parameter(arguments.vararg, "var_positional", None)
        for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            yield self._parameter(argument, "keyword_only", keyword_default)
        if arguments.kwarg:
            yield self._parameter(arguments.kwarg, "var_keyword", None)

    def _parameter(self, argument: ast.arg, kind: str, default: ast.expr | None) -> Parameter:
        return Parameter(
            argument.arg,
            kind,
            None if default is None else self.text.of(default),
            annotation=None if argument.annotation is None else self.text.of(argument.annotation),
        )


class SourceText:
    """A file's text, for quoting the source of an expression."""

    def __init__(self, text: str) -> None:
        self._lines = text.encode().splitlines()

    def of(self, node: ast.expr) -> str:
        """The expression as written; strings in one way of quoting, and several lines joined to one."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return repr(node.value)
        if node.end_lineno != node.lineno:
            return ast.unparse(node)
        return self._lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()


def distinct(forms: Iterable[Signature]) -> tuple[Signature, ...]:
    """Each form once; a form of nothing but `*args, **kwargs` only if there is no other."""
    different = tuple(dict.fromkeys(forms))
    return tuple(form for form in different if not opaque(form)) or different[:1]


def opaque(form: Signature) -> bool:
    """Whether a form says nothing but `*args` or `*args, **kwargs`, of any type."""
    untyped = {None, "Any", "_P.args", "_P.kwargs"}
    names = [p.name for p in form.parameters if p.kind.startswith("var_") and p.annotation in untyped]
    return bool(names) and names[0] == "args" and len(names) == len(form.parameters)


@cache
def declarations(path: Path) -> Declarations:
    """Read a `.py` or `.pyi` file."""
    return parse(path.read_text(encoding="utf-8"))


def parse(source: str) -> Declarations:
    """Read source text."""
    found = Declarations(SourceText(source))
    _collect(ast.parse(source).body, "", found)
    return found


def has_decorator(node: FunctionNode | ast.ClassDef, name: str) -> bool:
    """Whether `@name`, `@module.name` or `@name(...)` stands above a declaration."""
    return any(_last_name(item.func if isinstance(item, ast.Call) else item) == name for item in node.decorator_list)


def decorator(node: FunctionNode | ast.ClassDef, name: str) -> ast.Call | None:
    """The call `@name(...)` above a declaration."""
    calls = (item for item in node.decorator_list if isinstance(item, ast.Call))
    return next((call for call in calls if _last_name(call.func) == name), None)


def _collect(body: list[ast.stmt], prefix: str, found: Declarations) -> None:
    for item in body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            qualname = prefix + item.name
            found.functions.setdefault(qualname, []).append(item)
            first = min([item.lineno, *(decorator.lineno for decorator in item.decorator_list)])
            found.by_line[first] = qualname
            _collect(item.body, f"{qualname}.<locals>.", found)
        elif isinstance(item, ast.ClassDef):
            found.classes[prefix + item.name] = item
            found.attributes[prefix + item.name] = {
                name: found.text.of(annotation) for name, annotation in _annotated(item) if not name.startswith("_")
            }
            _collect(item.body, f"{prefix}{item.name}.", found)
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            found.values[prefix + item.target.id] = item.annotation
        elif isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            found.values[prefix + item.targets[0].id] = item.value
        elif isinstance(item, ast.If | ast.Try | ast.With):
            for block in ("body", "orelse", "finalbody"):
                _collect(getattr(item, block, []), prefix, found)
            for handler in getattr(item, "handlers", []):
                _collect(handler.body, prefix, found)


def _annotated(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a class's constructor annotates, then those that its body does."""
    for item in (inner for function in node.body if _is_constructor(function) for inner in ast.walk(function)):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Attribute) and _is_self(item.target.value):
            yield item.target.attr, item.annotation
    for item in (item for item in node.body if isinstance(item, ast.AnnAssign)):
        if isinstance(item.target, ast.Name) and _last_name(item.annotation) != "TypeAlias":
            yield item.target.id, item.annotation


def _is_constructor(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def public_parameters(parameters: list[Parameter]) -> Iterator[Parameter]:
    """Leave out optional parameters with an underscore; what follows one can only be given by name."""
    hidden = False
    for parameter in parameters:
        if parameter.name.startswith("_") and parameter.default is not None:
            hidden = True
        elif hidden and parameter.kind == POSITIONAL_OR_KEYWORD:
            yield replace(parameter, kind="keyword_only")
        else:
            yield parameter


def _filled(form: Signature, defaults: Mapping[str, str | None]) -> Signature:
    """Put the implementation's defaults where an overload only says that there is one."""
    parameters = (
        replace(p, default=defaults.get(p.name) or p.default) if p.default == "..." else p for p in form.parameters
    )
    return replace(form, parameters=tuple(parameters))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _has_base(node: ast.ClassDef, name: str) -> bool:
    return any(_last_name(base) == name for base in node.bases)
