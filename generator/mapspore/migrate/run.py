"""Migrate many files: scan them, follow their values, judge which flows can be rewritten, edit, and prove that the text
parses. What turns out not to be writable stays, with all of its flow.
"""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from mapspore.base.language import Language
from mapspore.entry.model import Platform
from mapspore.migrate.adapter import adapter_plan, lacks, why_not_adapted
from mapspore.migrate.direct import direct_plan, why_not_direct
from mapspore.migrate.flows import FileFlow, Flows, Hindrance, root_sites
from mapspore.migrate.plan import Left, Plan
from mapspore.migrate.read_files import Read, read_flows
from mapspore.migrate.verdict import Reason, Verdict, judge
from mapspore.resolve.registry import Registry
from mapspore.scan.files import File, read_all
from mapspore.scan.ruleset import Ruleset
from mapspore.scan.run import scan
from mapspore.scan.scan_file import Result

Mode = Literal["adapter", "direct"]
MODES: tuple[Mode, ...] = ("adapter", "direct")
_BOM = b"\xef\xbb\xbf"
MARK = "# mapspore["
"""How the comments begin that direct mode leaves."""


class Wanted(NamedTuple):
    """How to migrate."""

    mode: Mode = "adapter"
    language: Language = "en"
    platform: Platform | None = "Ascend"
    """Where a direct call needs a kernel; None if it may lack one."""
    mixing: bool = False
    """Whether a flow may be rewritten in part, so that two frameworks meet in it."""


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


class Migration(NamedTuple):
    """What becomes of the files."""

    files: list[Migrated]
    """Those that use torch."""
    flows: Flows
    hindrances: list[Hindrance]
    """What holds flows back, each place once."""


def migrate(
    files: list[File], rules: Ruleset, wanted: Wanted, root: Path, overlays: tuple[Path, ...], given: Iterable[str],
    jobs: int = 0, cached: bool = True,
) -> Migration:  # fmt: skip
    """What becomes of each file that uses torch; only files below the `given` paths are rewritten."""
    contents = read_all(files)
    results = {file.path: result for file, result in scan(files, contents, rules, jobs, cached).results}
    read = read_flows(files, contents, results, rules, wanted.mixing)
    flows = read.flows
    barred = _barred(files, given)
    for path, reason in barred.items():
        if path in flows.files:
            _bar(flows, flows.files[path], reason)
    flows.settle(with_adapter=wanted.mode == "adapter")
    _join_doubles(flows, barred)
    if wanted.mode == "adapter":
        flows.hindrances += _annotations(flows, rules)
    registry = _registry(root, overlays, wanted.platform) if wanted.mode == "direct" else None
    work = _Work(read, rules, wanted, registry, results, barred)
    verdict, made = work.settled()
    done: list[Migrated] = []
    for file in files:
        result = results.get(file.path)
        if file.path in made:
            left = [*verdict.left.get(file.path, ()), *made[file.path].left]
            if left or made[file.path].changed:
                done.append(made[file.path]._replace(left=left))
        elif result is not None and (left := _untouched(file, result, flows, verdict)):
            done.append(Migrated(file, b"", "", "", 0, left))
    return Migration(done, flows, verdict.hindrances)


class _Work:
    """Judging and editing, over and over, until nothing fails any more."""

    def __init__(
        self, read: Read, rules: Ruleset, wanted: Wanted, registry: Registry | None, results: Mapping[str, Result],
        barred: Mapping[str, Left],
    ) -> None:  # fmt: skip
        self.read = read
        self.rules = rules
        self.wanted = wanted
        self.registry = registry
        self.results = results
        self.barred = barred
        self.failed: list[Hindrance] = []
        self.kept: dict[str, tuple[object, Migrated]] = {}
        """By file: what was to move, and what came of it."""
        self.borrowed = {use.via for flow in read.flows.files.values() for use in flow.found.uses if use.via}

    def settled(self) -> tuple[Verdict, dict[str, Migrated]]:
        """The verdict that can be carried out, and the files as it makes them."""
        while True:
            verdict = judge(self.read.flows, self.why(), self.failed)
            lent = self.lent(verdict)
            before = len(self.failed)
            made = {path: self.edited(path, verdict, lent) for path in self.read.texts}
            if len(self.failed) == before:
                return verdict, made

    def why(self) -> partial[Reason | None]:
        if self.wanted.mode == "adapter":
            return partial(why_not_adapted, rules=self.rules)
        return partial(why_not_direct, rules=self.rules, platform=self.wanted.platform)

    def lent(self, verdict: Verdict) -> dict[str, bool]:
        """By module that others take torch's names from: whether all that they take moves."""
        found: dict[str, bool] = {}
        for path, flow in self.read.flows.files.items():
            moving = verdict.moving[path]
            for number, use in enumerate(flow.found.uses):
                if use.via:
                    fine = number in moving or number in flow.annotations
                    found[use.via] = found.get(use.via, True) and fine
        return found

    def edited(self, path: str, verdict: Verdict, lent: Mapping[str, bool]) -> Migrated:
        """The file with its plan carried out; what cannot be is noted as failed."""
        flow = self.read.flows.files[path]
        key = (verdict.moving[path], lent.get(flow.file.module))
        known = self.kept.get(path)
        if known is not None and known[0] == key:
            return known[1]
        plan = self.plan(flow, verdict.moving[path], lent)
        text = self.read.texts[path]
        given = Migrated(flow.file, self.read.raw[path], text, text, 0, plan.left)
        if path in self.barred and not plan.empty:
            made = given._replace(left=[*given.left, self.barred[path]])
        else:
            made = given if plan.empty else self.carried_out(given, plan, flow, verdict.moving[path])
        self.kept[path] = (key, made)
        return made

    def plan(self, flow: FileFlow, moving: frozenset[int], lent: Mapping[str, bool]) -> Plan:
        if self.registry is None:
            return adapter_plan(flow, self.rules, moving, lent.get(flow.file.module))
        shared = flow.file.package or flow.file.module in self.borrowed
        result = self.results.get(flow.file.path)
        ignores = result.ignores if result is not None else {}
        return direct_plan(flow, self.rules, self.registry, self.wanted.language, moving, shared, ignores)

    def carried_out(self, given: Migrated, plan: Plan, flow: FileFlow, moving: frozenset[int]) -> Migrated:
        from mapspore.migrate.edit import Entangled, Unsound, edit, without_spare

        text = given.old
        try:
            new, failed = edit(text, plan)
            if failed:
                spans = {(u.line, u.column, u.end_line, u.end_column): n for n, u in enumerate(flow.found.uses)}
                self.fail(flow, {spans[span]: reason for span, reason in failed.items()})
                return given
            if plan.spare:
                new = without_spare(new, plan)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(new)
        except Entangled:
            self.fail(flow, dict.fromkeys(moving, "entangled"))
            return given
        except (Unsound, SyntaxError, ValueError, RecursionError):
            self.fail(flow, dict.fromkeys(moving, "unsound"))
            return given._replace(left=[*given.left, Left(1, 1, "torch", "unsound")] if not moving else given.left)
        return given._replace(new=new, changes=plan.changes, comments=new.count(MARK) - text.count(MARK))

    def fail(self, flow: FileFlow, reasons: Mapping[int, str]) -> None:
        for number, reason in sorted(reasons.items()):
            use = flow.found.uses[number]
            self.failed.append(Hindrance(flow.cell(number), flow.file.path, use.line, use.column, use.path, reason))


def _bar(flows: Flows, flow: FileFlow, reason: Left) -> None:
    """What a file uses that may not be written stays."""
    if reason.reason == "same_file":
        return
    for number, use in enumerate(flow.found.uses):
        cell = flow.cells[number] = flow.cells[number] if flow.cells[number] is not None else flows.cells.new()
        assert cell is not None
        flows.hindrances.append(Hindrance(cell, flow.file.path, use.line, use.column, use.path, *reason[3:]))


def _join_doubles(flows: Flows, barred: Mapping[str, Left]) -> None:
    """One file under two names is judged once."""
    by_place = {os.path.realpath(path): flow for path, flow in flows.files.items() if path not in barred}
    for path in barred:
        one, other = flows.files.get(path), by_place.get(os.path.realpath(path))
        if one is not None and other is not None and len(one.cells) == len(other.cells):
            for pair in zip(one.cells, other.cells, strict=True):
                flows.cells.join(pair)


def _annotations(flows: Flows, rules: Ruleset) -> Iterable[Hindrance]:
    """An alias of a module cannot move if an annotation takes something by it that the adapter has not."""
    for path, flow in flows.files.items():
        if not flow.annotations or flow.unevaluated:
            continue
        uses = flow.found.uses
        roots = root_sites(flow.found)
        served = {use.site: number for number, use in enumerate(uses) if number not in flow.annotations}
        for number in sorted(flow.annotations):
            use = uses[number]
            other = served.get(use.site) if use.site is not None and use.site not in roots else None
            reason = lacks(use, rules) if other is not None else None
            if other is not None and reason is not None:
                yield Hindrance(flow.cell(other), path, use.line, use.column, use.path, *reason)


def _barred(files: list[File], given: Iterable[str]) -> dict[str, Left]:
    """By path: why a file is not to be rewritten under this name: a link leads to it, out of the given paths or to a
    file that is migrated under its own name."""
    tops = {os.path.realpath(path) for path in given}
    real = {file.path: os.path.realpath(file.path) for file in files}
    chosen: dict[str, File] = {}
    for file in sorted(files, key=lambda file: os.path.abspath(file.path) != real[file.path]):
        chosen.setdefault(real[file.path], file)
    barred: dict[str, Left] = {}
    for file in files:
        place = real[file.path]
        if tops.isdisjoint([place, *map(str, Path(place).parents)]):
            barred[file.path] = Left(1, 1, "torch", "leads_out")
        elif chosen[place] != file:
            barred[file.path] = Left(1, 1, "torch", "same_file", (("other", chosen[place].shown),))
    return barred


def _untouched(file: File, result: Result, flows: Flows, verdict: Verdict) -> list[Left]:
    """What stays in a file that nothing can be done in."""
    if file.shown.endswith(".ipynb"):
        return [Left(1, 1, "torch", "notebook")] if result.uses or result.unknown else []
    if result.problems or file.path not in flows.files:
        return [Left(1, 1, "torch", "unreadable")] if result.problems or result.uses or result.unknown else []
    return verdict.left.get(file.path, [])


def _registry(root: Path, overlays: tuple[Path, ...], platform: Platform | None) -> Registry:
    from mapspore.pipeline import load_registry

    registry = load_registry(root, overlays=overlays).registry
    return registry if platform is None else registry.on(platform)
