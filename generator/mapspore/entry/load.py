"""Stage 1, load: files in, `Source` out, each holding plain data and the place of every key and value.

Only this stage and the last one touch the disk. Whatever a file is, reading it neither blocks nor takes long;
what cannot be read or understood becomes diagnostics.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.base.read_file import Unreadable, read_file
from mapspore.entry.yaml_events import UNWANTED, data_of
from mapspore.entry.yaml_events import Block as Block
from mapspore.entry.yaml_events import Items as Items

LARGEST = 256 * 1024
SUFFIX = ".yaml"
ALIKE = (".yaml", ".yml")
LIKE = "like"
EXAMPLE = BEFORE, AFTER = ".before.py", ".after.py"
CASES = ".cases.py"
PROGRAM_SUFFIXES = (*EXAMPLE, CASES)
"""How the names of programs beside an entry end: the two of its example, and the cases that `verify` runs."""


@dataclass(slots=True)
class Source:
    """One file of the registry: its text, its data (None if it could not be read), its examples."""

    path: str
    text: str = ""
    data: Any = None
    examples: dict[str, str] = field(default_factory=dict)

    def place(self, *steps: str | int, key: bool = False) -> Place:
        """The place of the value at `steps`, or of its key; the nearest one that exists."""
        node = self.data
        span = node.span if isinstance(node, (Block, Items)) else (1, 1, 1)
        if steps and isinstance(node, Block) and LIKE in node and steps[0] not in node:
            return Place(self.path, *node.values_at[LIKE])  # it is said by the entry that this one is like
        for count, step in enumerate(steps, 1):
            if isinstance(node, Block) and isinstance(step, str) and step in node.values_at:
                wants_key = key and count == len(steps)
                span = node.keys_at[step] if wants_key else node.values_at[step]
                node = node[step]
            elif isinstance(node, Items) and isinstance(step, int) and step < len(node.items_at):
                span = node.items_at[step]
                node = node[step]
            else:
                break
        return Place(self.path, *span)

    def written(self, place: Place) -> str:
        """What stands at a place, as the contributor wrote it."""
        line = self.text.split("\n")[place.line - 1]
        return line[place.column - 1 : place.column - 1 + place.width]


def find(mappings: Path, paths: Iterable[Path] = ()) -> tuple[list[Path], frozenset[Path]]:
    """The entry files below the folder (or below `paths`) in a fixed order, and the example files there."""
    found: set[Path] = set()
    examples: set[Path] = set()
    for start in paths or (mappings,):
        if start.is_dir():
            # A folder that cannot be listed counts as a file that cannot be read: it may hide entries.
            for folder, _, names in os.walk(start, onerror=lambda problem: found.add(Path(problem.filename))):
                names = [name for name in names if not name.startswith(".")]
                found.update(Path(folder, name) for name in names if name.lower().endswith(ALIKE))
                examples.update(Path(folder, name) for name in names if name.endswith(PROGRAM_SUFFIXES))
        else:
            found.add(start)
    return sorted(found), frozenset(examples)


def load(
    files: Collection[Path],
    root: Path,
    examples: frozenset[Path] = frozenset(),
    names: Mapping[Path, str] = MappingProxyType({}),
) -> tuple[list[Source], list[Diagnostic]]:
    """Read every file; a file that cannot be read or is not YAML yields diagnostics and no data.

    `names` says how files are shown that do not belong to the root.
    """
    sources: list[Source] = []
    diagnostics: list[Diagnostic] = []
    for file in files:
        source, problems = read(file, names.get(file) or shown(file, root))
        sources.append(source)
        diagnostics.extend(problems)
    if examples:
        of_file = dict(zip(files, sources, strict=True))
        for example in sorted(examples):
            suffix = next(suffix for suffix in PROGRAM_SUFFIXES if example.name.endswith(suffix))
            entry = example.with_name(example.name.removesuffix(suffix) + SUFFIX)
            diagnostics.extend(read_example(example, suffix, entry, of_file.get(entry), root))
    return sources, diagnostics


def read_example(example: Path, suffix: str, entry: Path, source: Source | None, root: Path) -> list[Diagnostic]:
    """Gives the text of an example to the entry that it stands beside."""
    path = shown(example, root)
    if source is None:
        return [Diagnostic("M012", Place(path), (("wanted", shown(entry, root)),), "example")]
    raw = read_bytes(example, path)
    if isinstance(raw, Diagnostic):
        return [raw]
    try:
        source.examples[suffix] = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        return [_not_utf8(raw, problem, path)]
    return []


def shown(file: Path, root: Path) -> str:
    """The path as people see it: relative to the root where possible, always with forward slashes."""
    try:
        return file.relative_to(root).as_posix()
    except ValueError:
        return file.as_posix()


def read(file: Path, path: str) -> tuple[Source, list[Diagnostic]]:
    source = Source(path)
    raw = read_bytes(file, path)
    if isinstance(raw, Diagnostic):
        return source, [raw]
    problems = decode(raw, source)
    if not problems:
        problems = build(source)
    return source, problems


def read_bytes(file: Path, path: str) -> bytes | Diagnostic:
    """The content of a file; of a huge one, no more than it takes to refuse it."""
    if path.lower().endswith(ALIKE) and not path.endswith(SUFFIX):
        wanted = path[: path.rindex(".")] + SUFFIX
        return Diagnostic("M012", Place(path), (("wanted", wanted),))
    try:
        return read_file(file, LARGEST)
    except Unreadable as problem:
        if problem.reason == "large":
            return Diagnostic("M002", Place(path), (("limit", f"{LARGEST // 1024} KiB"),))
        reason = "failed" if problem.reason == "loop" else problem.reason
        return Diagnostic("M001", Place(path), (("reason", reason),))


def decode(raw: bytes, source: Source) -> list[Diagnostic]:
    """Bytes to text; refuses what would make lines, columns or bytes ambiguous."""
    path = source.path
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        return [_not_utf8(raw, problem, path)]
    if not text.strip():
        return [Diagnostic("M009", Place(path))]
    source.text = text
    unwanted = UNWANTED.search(text)
    if unwanted is None:
        return []
    seen: dict[str, Diagnostic] = {}
    for match in UNWANTED.finditer(text):
        code = {"\t": "M006", "\r": "M007", "\ufeff": "M004"}.get(match[0], "M005")
        if code not in seen:
            line = text.count("\n", 0, match.start()) + 1
            column = match.start() - (text.rfind("\n", 0, match.start()) + 1) + 1
            values = (("character", f"U+{ord(match[0]):04X}"),) if code == "M005" else ()
            seen[code] = Diagnostic(code, Place(path, line, column), values)
    return list(seen.values())


def _not_utf8(raw: bytes, problem: UnicodeDecodeError, path: str) -> Diagnostic:
    before = raw[: problem.start]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    return Diagnostic("M003", Place(path, line, column))


def build(source: Source) -> list[Diagnostic]:
    """Text to data; a source whose text is not sound stays without."""
    source.data, problems = data_of(source.text, source.path)
    return problems
