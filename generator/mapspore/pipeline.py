"""The straight line: load, parse, resolve and check in one call, for every command that needs a registry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mapspore.base.diagnostics import Diagnostic, Refusal, in_order
from mapspore.base.gc_pause import gc_paused
from mapspore.base.paths import facts_folder
from mapspore.check.check import check, check_damaged
from mapspore.entry.complete import complete
from mapspore.entry.load import SUFFIX, Source, find, load
from mapspore.entry.model import Entry
from mapspore.entry.parse import parse
from mapspore.evidence.files import with_evidence
from mapspore.facts import snapshot
from mapspore.facts.snapshot import Facts
from mapspore.resolve.registry import Registry
from mapspore.resolve.resolve import resolve, resolve_entry


@dataclass(frozen=True, slots=True)
class Loaded:
    """A registry, what is wrong with it, and the sources to point into."""

    registry: Registry
    diagnostics: list[Diagnostic]
    sources: list[Source]
    checked: int
    """How many entries were reported on."""

    @property
    def errors(self) -> list[Diagnostic]:
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]


@gc_paused()
def load_registry(root: Path, paths: Sequence[Path] = (), overlays: Sequence[Path] = ()) -> Loaded:
    """Everything up to and including `check`. With `paths`, only those files are reported on.

    An entry of an overlay takes the place of the registry's own, and of earlier overlays'.
    """
    mappings = root / "mappings"
    files, examples = find(mappings)
    names: dict[Path, str] = {}
    for folder in overlays:
        files, examples = _overlaid(files, examples, folder, names)
    given, beside = find(mappings, paths) if paths else (files, examples)
    known, wanted = set(files), set(given)
    files = [*files, *(path for path in given if path not in known)]
    sources, diagnostics = load(files, root, examples | beside, names)
    parsed: list[tuple[Source, Entry]] = []
    damaged: list[tuple[Source, Entry]] = []
    unread: list[str] = []
    for source in sources:
        entry, problems = parse(source)
        diagnostics.extend(problems)
        if entry is None:
            unread.append(_place(source.path).removesuffix(SUFFIX).replace("/", "."))
        else:
            (damaged if problems else parsed).append((source, entry))
    completed = complete(parsed, damaged, unread)
    diagnostics.extend(completed.diagnostics)
    torch, mindspore = load_facts(root)
    registry = with_evidence(root, resolve(completed.sound, torch, mindspore))
    diagnostics.extend(check(registry))
    for source, entry in completed.damaged:
        diagnostics.extend(check_damaged(resolve_entry(source, entry, torch, mindspore), registry))
    if paths:
        pairs = zip(sources, files, strict=True)
        shown = {source.path for source, file in pairs if file in wanted}
        diagnostics = [d for d in diagnostics if _entry_of(d.place.path) in shown]
    return Loaded(registry, in_order(diagnostics), sources, len(given))


def _overlaid(
    files: list[Path], examples: frozenset[Path], overlay: Path, names: dict[Path, str]
) -> tuple[list[Path], frozenset[Path]]:
    """The files with those of an overlay over them; `names` keeps how its files are shown: from its folder on."""
    own, beside = find(overlay / "mappings")
    home = overlay.resolve()
    for file in (*own, *beside):
        names[file] = f"{home.name}/{file.relative_to(overlay).as_posix()}"
    taken = {_place(names[file]) for file in own}
    files = [file for file in files if _place(names.get(file) or file.as_posix()) not in taken]
    kept = {file for file in examples if _place(_entry_of(names.get(file) or file.as_posix())) not in taken}
    return [*files, *own], frozenset(kept | beside)


def _place(path: str) -> str:
    """Where an entry lies below `mappings/`, whichever registry it is in."""
    return path.rpartition("mappings/")[2]


def _entry_of(path: str) -> str:
    """The entry that a path belongs to: itself, or the one beside an example."""
    return path.rsplit(".", 2)[0] + ".yaml" if path.endswith(".py") else path


def load_facts(root: Path) -> tuple[Facts, Facts]:
    """The newest snapshot of each framework."""
    folder = facts_folder(root)
    found = []
    for framework in ("torch", "mindspore"):
        files = sorted(folder.glob(f"{framework}-*.json"), key=_version)
        if not files:
            raise Refusal("C301", framework=framework, folder=folder.name)
        found.append(snapshot.load(files[-1]))
    return found[0], found[1]


def _version(path: Path) -> tuple[int, ...]:
    digits = path.stem.split("-", 1)[1].split(".")
    return tuple(int(part) if part.isdigit() else 0 for part in digits)
