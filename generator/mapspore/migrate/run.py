"""Migrate many files: scan them, plan each with what the others take from it, edit, and prove that the text parses."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from mapspore.base.language import Language
from mapspore.migrate.adapter import Elsewhere, adapter_plan, taken_elsewhere
from mapspore.migrate.direct import direct_plan
from mapspore.migrate.plan import Left, Plan, Span
from mapspore.resolve.registry import Registry
from mapspore.scan.codes import FILE_CODES, UNPARSED
from mapspore.scan.exports import ExportTable
from mapspore.scan.file_uses import FileUses, Use
from mapspore.scan.files import File, Problem, decode, read_all
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.run import scan
from mapspore.scan.scan_file import Result, analyse_text, unread

Mode = Literal["adapter", "direct"]
MODES: tuple[Mode, ...] = ("adapter", "direct")
_BOM = b"\xef\xbb\xbf"
MARK = "# mapspore["
"""How the comments begin that direct mode leaves."""


class Migrated(NamedTuple):
    """One file: its text before and after, how many places changed and got a comment, and what was left."""

    file: File
    raw: bytes
    """Its content as it was read."""
    old: str
    new: str
    changes: int
    left: list[Left]
    comments: int = 0

    @property
    def changed(self) -> bool:
        return self.old != self.new

    def content(self) -> bytes:
        return (_BOM if self.raw.startswith(_BOM) else b"") + self.new.encode("utf-8")

    def unchanged(self, reason: Left) -> Migrated:
        """The file as it is, since something keeps it from being rewritten."""
        return self._replace(new=self.old, changes=0, comments=0, left=[*self.left, reason])


def migrate(
    files: list[File], rules: Ruleset, mode: Mode, root: Path, overlays: tuple[Path, ...], language: Language,
    given: Iterable[str], jobs: int = 0, cached: bool = True,
) -> Iterator[Migrated]:  # fmt: skip
    """What becomes of each file that uses torch; only files below the `given` paths are rewritten."""
    contents = read_all(files)
    results = {file.path: result for file, result in scan(files, contents, rules, jobs, cached).results}
    packages = frozenset(file.module.partition(".")[0] for file in files) - {""}
    table = ExportTable(files)
    table.add((file, results[file.path]) for file in files if file.path in results)
    barred = _barred(files, given)
    texts: dict[str, str] = {}
    found: dict[str, FileUses] = {}
    wanted = {row[VIA] for result in results.values() for row in result.uses}
    for file in files:
        result = results.get(file.path)
        if result is None or file.shown.endswith(".ipynb"):
            continue
        if not (result.uses or result.imports or file.module in wanted):
            continue
        raw = contents[file.path]
        text = decode(raw, file.shown) if isinstance(raw, bytes) else raw
        if isinstance(text, Problem) or any(row[0] in FILE_CODES for row in result.problems):
            continue
        try:
            found[file.path] = analyse_text(text, file, rules, packages, table.linked(result.takes))
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # a worker had more room
            results[file.path] = unread(Problem(UNPARSED, file.shown))
            continue
        texts[file.path] = text
    taken: dict[str, list[Elsewhere]] = {}
    for module, use in taken_elsewhere((file.shown, found[file.path]) for file in files if file.path in found):
        taken.setdefault(module, []).append(use)
    registry = _registry(root, overlays) if mode == "direct" else None
    for file in files:
        result = results.get(file.path)
        if file.path not in found:
            left = _untouched(file, result) if result is not None else []
            if left:
                yield Migrated(file, b"", "", "", 0, left)
            continue
        if registry is None:
            plan = adapter_plan(found[file.path], rules, taken.get(file.module, ()))
        else:
            shared = file.package or file.module in taken
            ignores = result.ignores if result is not None else {}
            plan = direct_plan(found[file.path], rules, registry, language, shared, ignores)
        raw = contents[file.path]
        assert isinstance(raw, bytes)
        made = _edited(Migrated(file, raw, texts[file.path], texts[file.path], 0, plan.left), plan)
        yield made.unchanged(barred[file.path]) if made.changed and file.path in barred else made


VIA = Use._fields.index("via")


def _barred(files: list[File], given: Iterable[str]) -> dict[str, Left]:
    """By path: why a file is not to be rewritten under this name: a link leads to it, out of the given paths or to a
    file that is migrated under its own name."""
    tops = [os.path.realpath(path) for path in given]
    real = {file.path: os.path.realpath(file.path) for file in files}
    chosen: dict[str, File] = {}
    for file in sorted(files, key=lambda file: os.path.abspath(file.path) != real[file.path]):
        chosen.setdefault(real[file.path], file)
    barred: dict[str, Left] = {}
    for file in files:
        place = real[file.path]
        if not any(place == top or place.startswith(os.path.join(top, "")) for top in tops):
            barred[file.path] = Left(1, 1, "torch", "leads_out")
        elif chosen[place] != file:
            barred[file.path] = Left(1, 1, "torch", "same_file", (("other", chosen[place].shown),))
    return barred


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


def _edited(given: Migrated, plan: Plan) -> Migrated:
    """The file with its plan carried out."""
    if plan.empty:
        return given
    text = given.old
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
        return given.unchanged(Left(1, 1, "torch", "entangled"))
    except (Unsound, SyntaxError, ValueError, RecursionError):
        return given.unchanged(Left(1, 1, "torch", "unsound"))
    return given._replace(new=new, changes=plan.changes, comments=new.count(MARK) - text.count(MARK))


def _withdraw(plan: Plan, failed: dict[Span, str]) -> None:
    for span, reason in failed.items():
        rewrite = plan.rewrites.pop(span)
        plan.left.append(Left(span[0], span[1], rewrite.torch, reason))
    if not plan.rewrites:
        plan.added.clear()
        plan.spare.clear()
