"""The order of the generator's folders: a module imports from its own folder and from folders before it, no others.

The imports are read off the syntax trees, so that those inside functions and under `TYPE_CHECKING` count too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "mapspore"

ORDER = (
    ("base",),
    ("text",),
    ("words",),
    ("facts", "entry"),
    ("resolve",),
    ("cases",),
    ("evidence",),
    ("check",),
    ("pipeline",),
    ("view",),
    ("adapter", "pages", "answer", "author"),
    ("write",),
    ("verify", "scan"),
    ("migrate",),
    ("cli",),
    ("__main__",),
)
"""From the lowest to the highest. Those of one line do not import each other."""

EXCEPTIONS = {
    ("adapter.package", "pages.templates"): "the Jinja environment belongs into a folder before both",
    ("author.suggestions", "adapter.python_source"): "`kinds_taken` reads annotations: it belongs to `facts`",
    ("cases.single.cases", "adapter.collective"): "`is_literal` is a question about a default: it belongs to `facts`",
    ("cases.single.plan", "adapter.call"): "`platforms_of` is a question about a target: it belongs to `resolve`",
    ("cases.single.plan", "adapter.python_source"): "`kinds_taken` reads annotations: it belongs to `facts`",
    ("check.report", "pipeline"): "`print_report` takes a whole `Loaded`, for its type only",
    ("pages.site.api", "adapter.module"): "`has_adapter` is a question about a `Mapping`: it belongs to `resolve`",
    ("pages.site.names", "answer.index"): "`keys`, the ways to spell a name, serves the site's search too",
    ("resolve.overloads", "adapter.python_source"): "`kinds_taken` reads annotations: it belongs to `facts`",
    ("text.phrases", "resolve.differences"): "the phrase of a `Difference` is looked up, for its type only",
    ("view.answer", "adapter.module"): "`has_adapter` is a question about a `Mapping`: it belongs to `resolve`",
    ("view.prepare", "adapter.module"): "`has_adapter` is a question about a `Mapping`: it belongs to `resolve`",
    ("words.vocabulary", "entry.model"): "`Dtype` is a word, not a field: it belongs to `words`",
}
"""Imports against the order that are still there: the importing module, the imported one, and why."""


def modules() -> dict[str, Path]:
    """Every module by its dotted name below `mapspore`; a package stands for its `__init__`."""
    names = {path.relative_to(PACKAGE).with_suffix(""): path for path in sorted(PACKAGE.rglob("*.py"))}
    return {".".join(name.parts).removesuffix("__init__").rstrip("."): path for name, path in names.items()}


def imported(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of mapspore that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name.removeprefix("mapspore.") in known else str(node.module) for name in inside]
        else:
            continue
        yield from (name.removeprefix("mapspore.") for name in names if name.startswith("mapspore."))


def level(module: str) -> int:
    folder = module.partition(".")[0]
    return next(number for number, folders in enumerate(ORDER) if folder in folders)


@cache
def against_the_order() -> set[tuple[str, str]]:
    known = modules()
    pairs = {(module, other) for module, path in known.items() if module for other in imported(path, known)}
    return {
        (module, other)
        for module, other in pairs
        if module.partition(".")[0] != other.partition(".")[0] and level(other) >= level(module)
    }


def test_every_folder_has_its_place_in_the_order() -> None:
    ordered = [folder for folders in ORDER for folder in folders]
    assert sorted(ordered) == sorted({module.partition(".")[0] for module in modules() if module})


def test_imports_follow_the_order() -> None:
    new = sorted(against_the_order() - set(EXCEPTIONS))
    assert not new, "imported from a later folder, or from one beside: move what is needed to an earlier folder"


@pytest.mark.parametrize("pair", EXCEPTIONS, ids=" -> ".join)
def test_an_exception_is_still_needed(pair: tuple[str, str]) -> None:
    assert pair in against_the_order(), "the import is gone: remove it from EXCEPTIONS"


def test_packages_import_nothing() -> None:
    """A command pays only for the modules that it needs; `check.rules` is the list of all rules."""
    known = modules()
    packages = {module: path for module, path in known.items() if path.name == "__init__.py" and module}
    assert [module for module, path in packages.items() if list(imported(path, known))] == ["check.rules"]
