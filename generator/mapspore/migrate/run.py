"""Migrate many files: scan them, plan each with what the others take from it, edit, and prove that the text parses."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from mapspore.base.language import Language
from mapspore.migrate.adapter import Elsewhere, adapter_plan, taken_elsewhere
from mapspore.migrate.direct import direct_plan
from mapspore.migrate.plan import Left, Plan, Span
from mapspore.resolve.registry import Registry
from mapspore.scan.codes import FILE_CODES
from mapspore.scan.file_uses import Found, Use
from mapspore.scan.files import File, Problem, decode, read
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.run import exported, links, scan
from mapspore.scan.scan_file import Result, understand

Mode = Literal["adapter", "direct"]
MODES: tuple[Mode, ...] = ("adapter", "direct")
_BOM = b"\xef\xbb\xbf"
MARK = "# mapspore["
"""How the comments begin that direct mode leaves."""


class Migrated(NamedTuple):
    """One file: its text before and after, how many places changed and got a comment, and what was left."""

    file: File
    old: str
    new: str
    changes: int
    left: list[Left]
    bom: bool
    comments: int = 0

    @property
    def changed(self) -> bool:
        return self.old != self.new

    def content(self) -> bytes:
        return (_BOM if self.bom else b"") + self.new.encode("utf-8")


def migrate(
    files: list[File], rules: Ruleset, mode: Mode, root: Path, overlays: tuple[Path, ...], language: Language,
    jobs: int = 0, cached: bool = True,
) -> Iterator[Migrated]:  # fmt: skip
    """What becomes of each file that uses torch."""
    results = {file.path: result for file, result in scan(files, rules, jobs, cached).results}
    packages = frozenset(file.module.partition(".")[0] for file in files) - {""}
    linked = {file.path: known for file, known in links(files, results, exported(files, results))}
    texts: dict[str, tuple[str, bool]] = {}
    found: dict[str, Found] = {}
    wanted = {row[VIA] for result in results.values() for row in result.uses}
    for file in files:
        result = results.get(file.path)
        if result is None or file.shown.endswith(".ipynb"):
            continue
        if not (result.uses or result.imports or file.module in wanted):
            continue
        raw = read(file)
        text = decode(raw, file.shown) if isinstance(raw, bytes) else raw
        if isinstance(text, Problem) or any(row[0] in FILE_CODES for row in result.problems):
            continue
        assert isinstance(raw, bytes)
        found[file.path] = understand(text, file, rules, packages, linked.get(file.path))
        texts[file.path] = (text, raw.startswith(_BOM))
    taken: dict[str, list[Elsewhere]] = {}
    for module, use in taken_elsewhere((file.shown, found[file.path]) for file in files if file.path in found):
        taken.setdefault(module, []).append(use)
    registry = _registry(root, overlays) if mode == "direct" else None
    for file in files:
        result = results.get(file.path)
        if file.path not in found:
            left = _untouched(file, result) if result is not None else []
            if left:
                yield Migrated(file, "", "", 0, left, False)
            continue
        if registry is None:
            plan = adapter_plan(found[file.path], rules, taken.get(file.module, ()))
        else:
            shared = file.package or file.module in taken
            ignores = result.ignores if result is not None else {}
            plan = direct_plan(found[file.path], rules, registry, language, shared, ignores)
        text, bom = texts[file.path]
        yield _edited(file, text, bom, plan)


VIA = Use._fields.index("via")


def _untouched(file: File, result: Result) -> list[Left]:
    """What stays in a file that there is nothing to do in."""
    if file.shown.endswith(".ipynb"):
        return [Left(1, 1, "torch", "notebook")] if result.uses or result.unknown else []
    if result.problems:
        return [Left(1, 1, "torch", "unreadable")]
    return [Left(row[0], row[1], row[4], "no_entry") for row in result.unknown if row[5] == "certain"]


def _registry(root: Path, overlays: tuple[Path, ...]) -> Registry:
    from mapspore.pipeline import load_registry

    return load_registry(root, overlays=overlays).registry


def _edited(file: File, text: str, bom: bool, plan: Plan) -> Migrated:
    unsound = [*plan.left, Left(1, 1, "torch", "unsound")]
    if plan.empty:
        return Migrated(file, text, text, 0, plan.left, bom)
    from mapspore.migrate.edit import Entangled, Unsound, edit, without_spare

    try:
        new, failed = edit(text, plan)
        if failed:  # once more without the calls that could not be written
            _withdraw(plan, failed)
            new, _ = edit(text, plan)
        if plan.spare:
            new = without_spare(new, plan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(new)
    except Entangled:
        return Migrated(file, text, text, 0, [*plan.left, Left(1, 1, "torch", "entangled")], bom)
    except (Unsound, SyntaxError, ValueError, RecursionError):
        return Migrated(file, text, text, 0, unsound, bom)
    return Migrated(file, text, new, plan.changes, plan.left, bom, new.count(MARK) - text.count(MARK))


def _withdraw(plan: Plan, failed: dict[Span, str]) -> None:
    for span, reason in failed.items():
        rewrite = plan.rewrites.pop(span)
        plan.left.append(Left(span[0], span[1], rewrite.torch, reason))
    if not plan.rewrites:
        plan.added.clear()
        plan.spare.clear()
