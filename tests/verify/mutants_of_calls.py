"""Generated adapters of calls in one process with one thing wrong. In: a module's source. Out: its mutants, each with a
label and the targets that it concerns (none: all of them). A mutant differs from the module in one place.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from mapspore.words.vocabulary import WORDS

REMOVED = ("refuse", "supported", "fits_dtype", "keep_if", "set_train", "draw")
"""Statements that an adapter does without: what is refused, kept, or started with."""
NATIVE = ("mindspore.", "super().", "_NATIVE")
"""How a call of MindSpore begins."""


@dataclass(frozen=True)
class Mutant:
    label: str
    targets: frozenset[str]
    text: str
    about: frozenset[str] = frozenset()
    """Names that stand where the change is made; cases that speak of them probably show it."""


def mutants(source: str, targets: list[str]) -> Iterator[Mutant]:
    """Every mutant of a module."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        inside = _function_of(tree, node)
        for label, change, about in _changes(node):
            label = f"{inside}: {label}" if inside else label
            changed = copy.deepcopy(tree)
            place = next(each for at, each in enumerate(ast.walk(changed)) if at == number)
            change(place)
            concerned = frozenset({_target_of(tree, node, targets)} - {""})
            text = ast.unparse(ast.fix_missing_locations(changed))
            yield Mutant(label, concerned, text, frozenset(_names(about)))


def _names(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name | ast.arg):
            yield each.id if isinstance(each, ast.Name) else each.arg
        elif isinstance(each, ast.keyword) and each.arg:
            yield each.arg
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _target_of(tree: ast.Module, node: ast.AST, targets: list[str]) -> str:
    """The target behind the function, the class, the table or the registration that a node stands in."""
    for top in tree.body:
        if not any(each is node for each in ast.walk(top)):
            continue
        name = getattr(top, "name", "") or (ast.unparse(top.targets[0]) if isinstance(top, ast.Assign) else "")
        own = [t for t in targets if name == f"_{t}" or name.rpartition("_")[0] == f"_{t}"]
        own += [t for t in targets if name == f"_COMBINATIONS_{t.upper()}"]
        if isinstance(node, ast.Call) and _called(node) == "Counterpart":
            own = [str(getattr(node.args[0], "value", ""))]
        return own[0] if own else ""
    return ""


def _function_of(tree: ast.Module, node: ast.AST) -> str:
    """The name of a target's function for one call form, if a node stands in one."""
    for top in tree.body:
        if isinstance(top, ast.FunctionDef) and top.name[-1].isdigit() and any(each is node for each in ast.walk(top)):
            return top.name
    return ""


Change = tuple[str, object, ast.AST]
"""What is changed, how, and what says which names it is about."""
NOTHING = ast.Pass()


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and _called(node.value) in REMOVED:
        yield f"without {ast.unparse(node.value)[:70]}", lambda it: setattr(it, "value", ast.Constant(None)), node
    if isinstance(node, ast.If) and ast.unparse(node.body[0]).startswith("unfit("):
        predicate = _called(node.test.operand)  # type: ignore[attr-defined]
        yield f"{predicate} is not looked at", lambda it: setattr(it, "test", ast.Constant(False)), node
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
        made = node.value
        if isinstance(made.func, ast.Name) and made.func.id[:1].isupper() and len(made.args) == 2:
            yield "results swapped", lambda it: it.value.args.reverse(), made.func
            without_names = lambda it: setattr(it, "value", ast.Tuple(it.value.args, ast.Load()))  # noqa: E731
            yield "results without names", without_names, made.func
        if ast.unparse(made.func) == "self":
            yield "no step", lambda it: setattr(it, "value", ast.Constant(None)), made.func
    if isinstance(node, ast.Raise) and node.cause is not None:
        bare = lambda it: (setattr(it, "exc", None), setattr(it, "cause", None))  # noqa: E731
        yield "MindSpore's own error", bare, ast.Name("error")
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "STATE":
        yield from _of_state(node)
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("_COMBINATIONS"):
        for row in range(len(node.value.elts)):  # type: ignore[attr-defined]
            yield f"without the combination {row}", lambda it, row=row: it.value.elts.pop(row), node.value.elts[row]
    if isinstance(node, ast.FunctionDef) and not node.decorator_list:  # else it only declares an overload
        for number, default in enumerate(node.args.defaults):
            yield from _of_default(default, f"default {number} of {node.name}", "defaults", number)
        for number, default in enumerate(node.args.kw_defaults):
            yield from _of_default(default, f"keyword default {number} of {node.name}", "kw_defaults", number)


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))


def _of_call(node: ast.Call) -> Iterator[Change]:
    name = _called(node)
    if name in WORDS and node.args:
        same = lambda it: (setattr(it, "func", ast.Name("_same")), setattr(it, "keywords", []))  # noqa: E731
        yield f"{name} does nothing", same, node
    if ast.unparse(node.func).startswith(NATIVE):
        for number, keyword in enumerate(node.keywords):
            yield f"{keyword.arg} not passed", lambda it, number=number: it.keywords.pop(number), keyword
    if name == "Counterpart":
        for number, keyword in enumerate(node.keywords):
            yield f"without {keyword.arg}", lambda it, number=number: it.keywords.pop(number), ast.Name("dtype")


def _of_state(node: ast.Assign) -> Iterator[Change]:
    held = [ast.unparse(pair.elts[1]) for pair in node.value.elts]  # type: ignore[attr-defined]
    if len(held) > 1 and held[0] != held[1]:

        def swap(it: ast.Assign) -> None:
            first, second = it.value.elts[:2]  # type: ignore[attr-defined]
            first.elts[1], second.elts[1] = second.elts[1], first.elts[1]

        yield "state swapped", swap, NOTHING
    yield "a name of state less", lambda it: it.value.elts.pop(0), NOTHING


def _of_default(default: ast.expr | None, label: str, where: str, number: int) -> Iterator[Change]:
    other = _other(default)
    if other is not None:
        yield label, lambda it: getattr(it.args, where).__setitem__(number, other), NOTHING


def _other(default: ast.expr | None) -> ast.expr | None:
    """Another value of the same type, where a type is all that it takes."""
    if not isinstance(default, ast.Constant) or default.value is None or isinstance(default.value, str):
        return None
    value = default.value
    return ast.Constant(not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else value * 3)


PRELUDE = "\n\ndef _same(*values):\n    return values[0]\n"
"""What a word that does nothing is replaced by."""
