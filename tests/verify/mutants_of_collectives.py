"""Generated adapters with one thing wrong. In: a module's source. Out: the same module with one mutation, or None where
there is nothing of that kind to change. Each mutation works on the syntax tree of the functions behind the targets.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

Change = Callable[[ast.Call], ast.expr | None]


def is_call(node: ast.Call, name: str) -> bool:
    """Whether a call is of this name, or of a method of it."""
    return name in (getattr(node.func, "id", None), getattr(node.func, "attr", None))


def expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _wrong_rank(node: ast.Call) -> ast.expr | None:
    return expression(f"({ast.unparse(node)} + 1) % call._job.world.size()") if is_call(node, "root_rank") else None


def _dropped_op(node: ast.Call) -> ast.expr | None:
    kept = [keyword for keyword in node.keywords if not ast.unparse(keyword.value).startswith("reduce_op(")]
    return None if len(kept) == len(node.keywords) else ast.Call(node.func, node.args, kept)


def _nothing_delivered(node: ast.Call) -> ast.expr | None:
    if not is_call(node, "finish"):
        return None
    return expression(f"call.finish({', '.join(ast.unparse(each) for each in node.args[:3])}, lambda: [])")


def _delivered_before_wait(node: ast.Call) -> ast.expr | None:
    if not is_call(node, "finish"):
        return None
    _, *rest = (ast.unparse(each) for each in node.args)
    ended = "(lambda work: (work and work.wait(), work)[1])(call.finish(async_op, None, [], list))"
    return expression(f"(call.finish(False, {', '.join(rest)}), {ended})[1]")


def _asynchronous_ignored(node: ast.Call) -> ast.expr | None:
    if not is_call(node, "finish") or ast.unparse(node.args[0]) != "async_op":
        return None
    return ast.Call(node.func, [ast.Constant(False), *node.args[1:]], [])


def _world_for_group(node: ast.Call) -> ast.expr | None:
    return expression("call._job.world.name") if is_call(node, "group_name") else None


def _world_size(node: ast.Call) -> ast.expr | None:
    if not any(ast.unparse(each) == "call.size" for each in node.args):
        return None
    changed = [expression("call._job.world.size()") if ast.unparse(each) == "call.size" else each for each in node.args]
    return ast.Call(node.func, changed, node.keywords)


def _swapped(node: ast.Call) -> ast.expr | None:
    """The first two arguments of MindSpore's function, where there are two."""
    if not ast.unparse(node.func).startswith(("mint.", "comm_func.")) or len(node.keywords) < 2:
        return None
    first, second, *rest = node.keywords
    if second.arg in ("group", "op", "async_op", "dst", "src"):
        return None
    swapped = [ast.keyword(first.arg, second.value), ast.keyword(second.arg, first.value), *rest]
    return ast.Call(node.func, node.args, swapped)


def identity(word: str) -> Change:
    """The word does nothing: its first argument stands for its result; a condition is always met."""

    def change(node: ast.Call) -> ast.expr | None:
        if not is_call(node, word):
            return None
        return ast.Constant(True) if word in ("same_shape", "zero") else node.args[0]

    return change


MUTATIONS: dict[str, Change] = {
    "wrong rank": _wrong_rank,
    "dropped op": _dropped_op,
    "nothing delivered": _nothing_delivered,
    "delivered before wait": _delivered_before_wait,
    "asynchronous call waits": _asynchronous_ignored,
    "world for group": _world_for_group,
    "world size for group size": _world_size,
    "swapped arguments": _swapped,
}


class _Mutate(ast.NodeTransformer):
    def __init__(self, change: Change) -> None:
        self.change = change
        self.changed: set[str] = set()
        self._inside: str | None = None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if node.name.startswith("_"):
            self._inside = node.name.removeprefix("_")
            self.generic_visit(node)
            self._inside = None
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        changed = self.change(node) if self._inside else None
        if changed is None or self._inside is None:
            return node
        self.changed.add(self._inside)
        return changed


def mutate(source: str, change: Change) -> tuple[str, set[str]]:
    """The module with the mutation in every place, and the targets whose function it changed."""
    tree = ast.parse(source)
    mutation = _Mutate(change)
    changed = mutation.visit(tree)
    return ast.unparse(ast.fix_missing_locations(changed)), mutation.changed
