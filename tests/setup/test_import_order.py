"""The order of the generator's folders: a module imports from its own folder and from folders before it, no others.

The imports are read off the syntax trees, so that those inside functions and under `TYPE_CHECKING` count too.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

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


def test_every_folder_has_its_place_in_the_order() -> None:
    ordered = [folder for folders in ORDER for folder in folders]
    assert sorted(ordered) == sorted({module.partition(".")[0] for module in modules() if module})


def test_imports_follow_the_order() -> None:
    known = modules()
    pairs = {(module, other) for module, path in known.items() if module for other in imported(path, known)}
    wrong = sorted(
        (module, other)
        for module, other in pairs
        if module.partition(".")[0] != other.partition(".")[0] and level(other) >= level(module)
    )
    assert not wrong, "imported from a later folder, or from one beside: move what is needed to an earlier folder"


def test_packages_import_nothing() -> None:
    """A command pays only for the modules that it needs; `check.rules` is the list of all rules."""
    known = modules()
    packages = {module: path for module, path in known.items() if path.name == "__init__.py" and module}
    assert [module for module, path in packages.items() if list(imported(path, known))] == ["check.rules"]


def test_no_class_name_has_three_meanings() -> None:
    """Two can be told apart by where they are imported from; with three, nobody knows which one is meant."""
    runtime = PACKAGE.parents[1] / "adapter" / "torchspore" / "_runtime"
    nodes = (node for root in (PACKAGE, runtime) for path in root.rglob("*.py") for node in ast.walk(_tree(path)))
    counts = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert counts["Target"] == 2  # of an entry, and of the adapter
    assert [name for name, count in counts.items() if count > 2] == []


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))
