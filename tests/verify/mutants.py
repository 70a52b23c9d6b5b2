"""Generated adapters with one thing wrong. In: a module's source, its targets, and what can be changed in a node of its
syntax tree. Out: mutants, each with a label and the targets that it concerns. What can be changed is said by
`mutants_of_calls` and `mutants_of_collectives`.
"""

from __future__ import annotations

import ast
import copy
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mapspore.resolve.module_paths import module_path

ROOT = Path(__file__).resolve().parents[2]
NOTHING = ast.Pass()
PRELUDE = "\n\ndef _same(*values):\n    return values[0]\n"
"""What a word that does nothing is replaced by."""


Change = tuple[str, Callable[..., object], ast.AST]
"""What is changed, how, and what says which names it is about."""
Changes = Callable[[ast.AST], Iterator[Change]]


@dataclass(frozen=True)
class Mutant:
    """A module with one thing wrong."""

    label: str
    targets: frozenset[str]
    """The targets that it concerns; none: all of them."""
    text: str
    about: frozenset[str] = frozenset()
    """Names that stand where the change is made; cases that speak of them probably show it."""


def mutants(source: str, targets: list[str], changes: Changes) -> Iterator[Mutant]:
    """Every mutant of a module that differs from it in one place."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        inside = _function_of(tree, node)
        for label, change, about in changes(node):
            label = f"{inside}: {label}" if inside else label
            concerned = frozenset({_target_of(tree, node, targets)} - {""})
            yield Mutant(label, concerned, _changed(tree, {number: change}), frozenset(_names(about)))


def mutated(source: str, targets: list[str], label: str, changes: Changes) -> Mutant:
    """The module with the change of this label in every place: of the functions behind its targets, or before them
    where it concerns all of them."""
    tree = ast.parse(source)
    made, concerned = {}, set()
    for number, node in enumerate(ast.walk(tree)):
        found = [change for said, change, _ in changes(node) if said == label]
        if found:
            made[number] = found[0]
            concerned |= {_target_of(tree, node, targets)} - {""} or set(targets)
    return Mutant(label, frozenset(concerned), _changed(tree, made))


def adapter_with(folder: Path, texts: Mapping[str, str]) -> Path:
    """A copy of the adapter in which some modules, by torch name, are others."""
    shutil.copytree(ROOT / "adapter", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in texts.items():
        (folder / module_path(name).removeprefix("adapter/")).write_text(text, "utf-8")
    return folder


def module(name: str) -> str:
    """The source of an adapter."""
    return (ROOT / module_path(name)).read_text("utf-8")


def called(node: ast.AST) -> str:
    """The last name of what a call calls; nothing of any other node."""
    return str(getattr(node.func, "id", None) or getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""


def become(node: ast.AST, other: ast.AST) -> None:
    """Put another node in the place of one."""
    node.__class__, node.__dict__ = other.__class__, other.__dict__


def does_nothing(node: ast.Call) -> None:
    """The first argument of a word stands for its result."""
    node.func, node.keywords = ast.Name("_same"), []


def _changed(tree: ast.Module, changes: dict[int, Callable[..., object]]) -> str:
    """The source of a tree, with nodes changed by their number: inner ones first."""
    other = copy.deepcopy(tree)
    places = list(ast.walk(other))
    for number in sorted(changes, reverse=True):
        changes[number](places[number])
    return ast.unparse(ast.fix_missing_locations(other)) + PRELUDE


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
        if isinstance(node, ast.Call) and called(node) == "Target":
            own = [str(getattr(node.args[0], "value", ""))]
        return own[0] if own else ""
    return ""


def _function_of(tree: ast.Module, node: ast.AST) -> str:
    """The name of a target's function for one call form, if a node stands in one."""
    for top in tree.body:
        if isinstance(top, ast.FunctionDef) and top.name[-1].isdigit() and any(each is node for each in ast.walk(top)):
            return top.name
    return ""
