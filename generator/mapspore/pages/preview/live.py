"""A registry that follows its files. In: a root, and a file that changed. Out: the registry with that entry read anew,
and what is wrong with it. Where an entry is faulty, its last sound state stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mapspore.base.diagnostics import Diagnostic, in_order
from mapspore.check.check import check_damaged, check_mapping
from mapspore.entry.complete import complete
from mapspore.entry.load import PROGRAM_SUFFIXES, SUFFIX, Source, load, shown
from mapspore.entry.model import Entry
from mapspore.entry.parse import parse
from mapspore.evidence.files import entry_with_evidence
from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Mapping, Registry
from mapspore.resolve.resolve import resolve_entry

Stamps = dict[Path, tuple[int, int]]


class Live:
    """The registry of a root, and the problems of its entries by the path of their file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        loaded = load_registry(root)
        self.registry: Registry = loaded.registry
        self.sources: dict[str, Source] = {source.path: source for source in loaded.sources}
        self.problems: dict[str, list[Diagnostic]] = {}
        for diagnostic in loaded.diagnostics:
            self.problems.setdefault(self._entry_of(diagnostic.place.path), []).append(diagnostic)

    def names(self) -> list[str]:
        """All entries, sound or not: a file's path is its name."""
        folder = self.root / "mappings"
        return sorted(".".join(file.relative_to(folder).with_suffix("").parts) for file in folder.rglob(f"*{SUFFIX}"))

    def file_of(self, name: str) -> Path:
        """The file of an entry; whatever the name, it lies below `mappings/`."""
        *above, last = [part for part in re.split(r"[./]", name) if part] or [""]
        return self.root.joinpath("mappings", *above, last + SUFFIX)

    def problems_of(self, name: str) -> list[Diagnostic]:
        return self.problems.get(shown(self.file_of(name), self.root), [])

    def refresh(self, name: str) -> None:
        """Reads one entry again, with the programs beside it, and after it those that are like it."""
        file = self.file_of(name)
        beside = (file.with_name(file.stem + suffix) for suffix in PROGRAM_SUFFIXES)
        (source,), found = load([file], self.root, frozenset(path for path in beside if path.is_file()))
        entry, wrong = parse(source)
        found += wrong
        renewed: Registry | None = None
        if entry is not None:
            made = complete(
                [] if wrong else [(source, entry), *self._models(entry)], [(source, entry)] if wrong else []
            )
            found += [problem for problem in made.diagnostics if problem.place.path == source.path]
            entry = next(each for of, each in (*made.sound, *made.damaged) if of is source)
            mapping = resolve_entry(source, entry, self.registry.torch, self.registry.mindspore)
            if found:
                found += check_damaged(mapping, self.registry)
            else:
                renewed = self._with(mapping)
                found += check_mapping(mapping, renewed)
        self.sources[source.path] = source
        self.problems[source.path] = in_order(found)
        if renewed is not None and not any(diagnostic.severity == "error" for diagnostic in found):
            self.registry = renewed
            for other in [each.name for each in renewed.mappings if each.entry.like == name]:
                self.refresh(other)

    def _models(self, entry: Entry) -> Iterator[tuple[Source, Entry]]:
        """The entries that one is like, one after the other, as they are written."""
        seen = {entry.torch}
        while entry.like is not None and entry.like not in seen and entry.like in self.registry.by_name:
            source = self.registry.by_name[entry.like].source
            written, _ = parse(source)
            assert written is not None
            seen.add(entry.like)
            yield source, written
            entry = written

    def _with(self, mapping: Mapping) -> Registry:
        """The registry with one mapping in place of what its file held before."""
        others = [each for each in self.registry.mappings if each.source.path != mapping.source.path]
        return self.registry.with_mappings([entry_with_evidence(self.root, mapping, [mapping, *others]), *others])

    def stamps(self, names: list[str]) -> Stamps:
        """When the files of entries were last changed; of all entries where none is named."""
        return dict(self._stamps(names))

    def _stamps(self, names: list[str]) -> Iterator[tuple[Path, tuple[int, int]]]:
        files = (self._files(name) for name in names) if names else [(self.root / "mappings").rglob("*.[yp]*")]
        for group in files:
            for file in group:
                try:
                    state = file.stat()
                except OSError:
                    continue
                yield file, (state.st_mtime_ns, state.st_size)

    def _files(self, name: str) -> list[Path]:
        file = self.file_of(name)
        return [file, *(file.with_name(file.stem + suffix) for suffix in PROGRAM_SUFFIXES)]

    def name_of(self, file: Path) -> str:
        """The entry that a file, or an example beside it, belongs to."""
        path = self._entry_of(shown(file, self.root / "mappings"))
        return path.removesuffix(SUFFIX).replace("/", ".")

    @staticmethod
    def _entry_of(path: str) -> str:
        for suffix in PROGRAM_SUFFIXES:
            path = path.removesuffix(suffix) + SUFFIX if path.endswith(suffix) else path
        return path
