"""What can be wrong in a generated adapter of calls in one process. In: a node of its syntax tree. Out: changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mutants import NOTHING, Change, called, does_nothing

from mapspore.words.vocabulary import WORDS

REMOVED = ("refuse", "supported", "fits_dtype", "omit_state_unless", "set_train", "draw")
"""Statements that an adapter does without: what is refused, kept, or started with."""
NATIVE = ("mindspore.", "super().", "_NATIVE")
"""How a call of MindSpore begins."""


def changes(node: ast.AST) -> Iterator[Change]:
    """Each thing that can be wrong in a node, by itself."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called(node.value) in REMOVED:
        yield f"without {ast.unparse(node.value)[:70]}", lambda it: setattr(it, "value", ast.Constant(None)), node
    if isinstance(node, ast.If) and ast.unparse(node.body[0]).startswith("unfit("):
        predicate = called(node.test.operand)  # type: ignore[attr-defined]
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


def _of_call(node: ast.Call) -> Iterator[Change]:
    name = called(node)
    if name in WORDS and node.args:
        yield f"{name} does nothing", does_nothing, node
    if ast.unparse(node.func).startswith(NATIVE):
        for number, keyword in enumerate(node.keywords):
            yield f"{keyword.arg} not passed", lambda it, number=number: it.keywords.pop(number), keyword
    if name == "Target":
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
