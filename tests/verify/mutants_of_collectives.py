"""What can be wrong in a generated adapter of a collective. In: a node of its syntax tree. Out: changes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

from mutants import NOTHING, Change, become, called, does_nothing

from mapspore.words.vocabulary import PREDICATES, WORDS

# Words with a mutation of their own, or that change nothing which a caller, or MindSpore's documentation, could tell:
# MindSpore takes tensors in place of their shapes.
ELSEWHERE = {"root_rank", "group_name", "reduce_op", "shapes", "shape"}
OF_CALLS = ("encode", "decode")
"""What an adapter does with objects on their way."""
NATIVE = ("mint.", "comm_func.")
"""How a call of MindSpore begins."""


def changes(node: ast.AST) -> Iterator[Change]:
    """Each thing that can be wrong in a call, by itself."""
    if isinstance(node, ast.Call):
        for label, changed in _CHANGED.items():
            if changed(node) is not None:
                yield label, partial(_replace, changed), NOTHING
        if (name := called(node)) in DO_NOTHING:
            always = lambda it: become(it, ast.Constant(True))  # noqa: E731
            yield f"{name} does nothing", always if name in PREDICATES else does_nothing, NOTHING


def _replace(changed: Callable[[ast.Call], ast.expr | None], node: ast.Call) -> None:
    other = changed(node)
    assert other is not None
    become(node, other)


def _expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _wrong_rank(node: ast.Call) -> ast.expr | None:
    if called(node) != "root_rank":
        return None
    return _expression(f"({ast.unparse(node)} + 1) % call._job.world.size()")


def _dropped_op(node: ast.Call) -> ast.expr | None:
    kept = [keyword for keyword in node.keywords if not ast.unparse(keyword.value).startswith("reduce_op(")]
    return None if len(kept) == len(node.keywords) else ast.Call(node.func, node.args, kept)


def _nothing_delivered(node: ast.Call) -> ast.expr | None:
    if called(node) != "finish":
        return None
    return _expression(f"call.finish({', '.join(ast.unparse(each) for each in node.args[:3])}, lambda: [])")


def _delivered_before_wait(node: ast.Call) -> ast.expr | None:
    if not _may_return_at_once(node):
        return None
    return _expression(f"(lambda work: (work and work.wait(), work)[1])({ast.unparse(node)})")


def _asynchronous_ignored(node: ast.Call) -> ast.expr | None:
    if not _may_return_at_once(node):
        return None
    return ast.Call(node.func, [*node.args[:-1], ast.Constant(False)], node.keywords)


def _may_return_at_once(node: ast.Call) -> bool:
    """Whether it is a call's run that is told to return at once, always or if the caller says so. Where MindSpore is
    synchronous, what comes after it is not asked to."""
    return ast.unparse(node.func) == "call.run" and ast.unparse(node.args[-1]) in ("async_op", "True")


def _world_for_group(node: ast.Call) -> ast.expr | None:
    return _expression("call._job.world.name") if called(node) == "group_name" else None


def _world_size(node: ast.Call) -> ast.expr | None:
    if not any(ast.unparse(each) == "call.size" for each in node.args):
        return None
    size = "call.size"
    changed = [_expression("call._job.world.size()") if ast.unparse(each) == size else each for each in node.args]
    return ast.Call(node.func, changed, node.keywords)


def _swapped(node: ast.Call) -> ast.expr | None:
    """The first two arguments of MindSpore's function, where there are two."""
    if not ast.unparse(node.func).startswith(NATIVE) or len(node.keywords) < 2:
        return None
    first, second, *rest = node.keywords
    if second.arg in ("group", "op", "async_op", "dst", "src"):
        return None
    swapped = [ast.keyword(first.arg, second.value), ast.keyword(second.arg, first.value), *rest]
    return ast.Call(node.func, node.args, swapped)


_CHANGED: dict[str, Callable[[ast.Call], ast.expr | None]] = {
    "wrong rank": _wrong_rank,
    "dropped op": _dropped_op,
    "nothing delivered": _nothing_delivered,
    "delivered before wait": _delivered_before_wait,
    "asynchronous call waits": _asynchronous_ignored,
    "world for group": _world_for_group,
    "world size for group size": _world_size,
    "swapped arguments": _swapped,
}
DO_NOTHING = [word for word in (*WORDS, *PREDICATES, *OF_CALLS) if word not in ELSEWHERE]
LABELS = [*_CHANGED, *(f"{word} does nothing" for word in DO_NOTHING)]
