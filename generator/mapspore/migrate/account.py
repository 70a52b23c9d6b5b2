"""What a migration comes to, told in files and programs that can run. A `Migration` goes in, an `Account` comes out,
which the text and the JSON report print.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mapspore.base.json_text import json_text
from mapspore.base.language import LANGUAGES, Language
from mapspore.base.version import version
from mapspore.migrate.flows import Flows
from mapspore.migrate.plan import Left
from mapspore.migrate.run import Migrated, Migration, Wanted
from mapspore.text.phrases import catalogue, fill

FORMAT = 1


class Cause(NamedTuple):
    """An API or a library that holds flows back, at how many places of how many files, and why at the first."""

    name: str
    places: int
    files: int
    reason: str


class Account(NamedTuple):
    """How far a migration leads."""

    files: int
    """Files that use torch."""
    ready: tuple[str, ...]
    """Those of them that can run on MindSpore afterwards, with all that they import."""
    programs: int
    """Files that no other imports and that use torch, be it by what they import."""
    ready_programs: tuple[str, ...]
    causes: tuple[Cause, ...]
    """What holds the others back, the most frequent first."""


def account(migration: Migration, unwritten: Iterable[str] = ()) -> Account:
    """What can run after a migration; `unwritten` files, by path, were not written after all."""
    flows = migration.flows
    held = {each.file.path for each in migration.files if any(left.reason not in HARMLESS for left in each.left)}
    held |= set(unwritten)
    users = {path for path, flow in flows.files.items() if flow.found.uses}
    users |= {each.file.path for each in migration.files}
    importers = _importers(flows)
    stuck = _reached(held, importers)
    touched = _reached(users, importers)
    imported = {path for path, others in importers.items() if others}
    programs = sorted(touched - imported)
    shown = {path: flow.file.shown for path, flow in flows.files.items()}
    shown |= {each.file.path: each.file.shown for each in migration.files}
    return Account(
        files=len(users),
        ready=tuple(sorted(shown[path] for path in users - stuck)),
        programs=len(programs),
        ready_programs=tuple(shown[path] for path in programs if path not in stuck),
        causes=_causes(migration),
    )


def _importers(flows: Flows) -> dict[str, list[str]]:
    """By file: the files that import it."""
    by_module = {flow.file.module: path for path, flow in flows.files.items()}
    found: dict[str, list[str]] = {path: [] for path in flows.files}
    for path, flow in flows.files.items():
        for module in flow.imports:
            other = by_module.get(module)
            if other is not None and other != path:
                found[other].append(path)
    return found


def _reached(start: set[str], importers: Mapping[str, list[str]]) -> set[str]:
    """Files, and all that import them, also by way of others."""
    found, waiting = set(start), list(start)
    while waiting:
        for other in importers.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _causes(migration: Migration) -> tuple[Cause, ...]:
    places: dict[str, int] = {}
    files: dict[str, set[str]] = {}
    reasons: dict[str, str] = {}
    listed = [(each.path, each.name, each.reason) for each in migration.hindrances]
    known = {path for path, _, _ in listed}
    whole = [
        (each.file.path, left)
        for each in migration.files
        for left in each.left
        if left.reason in WHOLE_FILES or (left.reason == NOTEBOOK and each.file.path not in known)
    ]
    for path, name, reason in (*listed, *((path, left.torch, left.reason) for path, left in whole)):
        places[name] = places.get(name, 0) + 1
        files.setdefault(name, set()).add(path)
        reasons.setdefault(name, reason)
    causes = (Cause(name, places[name], len(files[name]), reasons[name]) for name in places)
    return tuple(sorted(causes, key=lambda cause: (-cause.places, cause.name)))


HARMLESS = ("same_file",)
"""Why a file stays although nothing of it is left: it is written under another name."""
WHOLE_FILES = ("unreadable", "unsound")
"""Why nothing is known of what a file holds back."""
NOTEBOOK = "notebook"
"""Why a notebook stays; what it uses is known only if all of its cells can be understood."""


def reason_text(reason: str, values: Iterable[tuple[str, str]], language: Language) -> str:
    return fill(catalogue("scan")["migrate"]["reasons"][reason][language], dict(values), language, "scan")


def as_json(migration: Migration, total: Account, wanted: Wanted, written: Iterable[Migrated]) -> str:
    """The report for programs, the same in every language.

    Format 1: `format`, `tool`, `mode`, `platform` (or null), `mixing`, `files` and `programs` (`total` and `ready`,
    those that can run on MindSpore afterwards), `because` (`name`, `places`, `files`, `reason`), `changed` (`path`,
    `places`, `comments`) and `left` (`path`, `line`, `column`, `torch`, `reason`, `says`). Within a format keys are
    added, never removed or given another meaning.
    """
    data: dict[str, Any] = {
        "format": FORMAT,
        "tool": {"name": "mapspore", "version": version()},
        "mode": wanted.mode,
        "platform": wanted.platform if wanted.mode == "direct" else None,
        "mixing": wanted.mixing,
        "files": {"total": total.files, "ready": list(total.ready)},
        "programs": {"total": total.programs, "ready": list(total.ready_programs)},
        "because": [cause._asdict() for cause in total.causes],
        "changed": [{"path": each.file.shown, "places": each.changes, "comments": each.comments} for each in written],
        "left": [_left(each.file.shown, one) for each in migration.files for one in sorted(each.left)],
    }
    return json_text(data, indent=1) + "\n"


def _left(path: str, one: Left) -> dict[str, Any]:
    says = {language: reason_text(one.reason, one.values, language) for language in LANGUAGES}
    place = {"path": path, "line": one.line, "column": one.column}
    return {**place, "torch": one.torch, "reason": one.reason, "says": says}
