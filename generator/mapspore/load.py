"""Stage 1, load: files in, `Source` out, each holding plain data and the place of every key and value.

YAML is read as events and built without recursion, so hostile nesting cannot exhaust the stack; anchors,
aliases, merge keys, tags and duplicate keys are refused here. What the data mean is left to `parse`.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import yaml
from yaml import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml._yaml import CParser  # the C parser's event interface, several times faster than the loader

from mapspore.diagnostics import Diagnostic, Place

LARGEST = 256 * 1024
DEEPEST = 24
SUFFIX = ".yaml"
ALIKE = (".yaml", ".yml")
EXAMPLE_SUFFIXES = (".before.py", ".after.py")

Span = tuple[int, int, int]  # line, column, width; line and column count from 1


@final
class Block(dict[str, Any]):
    """A mapping as read, with the span of each key and of each value."""

    __slots__ = ("flow", "keys_at", "span", "values_at")

    def __init__(self, span: Span, flow: bool) -> None:
        super().__init__()
        self.span = span
        self.flow = flow
        self.keys_at: dict[str, Span] = {}
        self.values_at: dict[str, Span] = {}


@final
class Items(list[Any]):
    """A list as read, with the span of each item."""

    __slots__ = ("flow", "items_at", "span")

    def __init__(self, span: Span, flow: bool) -> None:
        super().__init__()
        self.span = span
        self.flow = flow
        self.items_at: list[Span] = []


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
                examples.update(Path(folder, name) for name in names if name.endswith(EXAMPLE_SUFFIXES))
        else:
            found.add(start)
    return sorted(found), frozenset(examples)


def load(
    files: Collection[Path], root: Path, examples: frozenset[Path] = frozenset()
) -> tuple[list[Source], list[Diagnostic]]:
    """Read every file; a file that cannot be read or is not YAML yields diagnostics and no data."""
    sources: list[Source] = []
    diagnostics: list[Diagnostic] = []
    for file in files:
        source, problems = read(file, shown(file, root))
        sources.append(source)
        diagnostics.extend(problems)
    if examples:
        of_file = dict(zip(files, sources, strict=True))
        for example in sorted(examples):
            suffix = next(suffix for suffix in EXAMPLE_SUFFIXES if example.name.endswith(suffix))
            entry = example.with_name(example.name.removesuffix(suffix) + SUFFIX)
            diagnostics.extend(read_example(example, suffix, entry, of_file.get(entry), root))
    return sources, diagnostics


def read_example(
    example: Path, suffix: str, entry: Path, source: Source | None, root: Path
) -> list[Diagnostic]:
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


_REASONS = {errno.ENOENT: "missing", errno.EACCES: "denied", errno.EPERM: "denied", errno.EISDIR: "special"}


def read_bytes(file: Path, path: str) -> bytes | Diagnostic:
    """The content of a file; of a huge one, no more than it takes to refuse it."""
    if path.lower().endswith(ALIKE) and not path.endswith(SUFFIX):
        wanted = path[: path.rindex(".")] + SUFFIX
        return Diagnostic("M012", Place(path), (("wanted", wanted),))
    try:
        # Not to block, or else a named pipe that somebody left in the folder would hang every check.
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                return Diagnostic("M001", Place(path), (("reason", "special"),))
            raw = os.read(handle, min(state.st_size, LARGEST) + 1)
            while len(raw) <= LARGEST and (more := os.read(handle, LARGEST + 1 - len(raw))):
                raw += more
        finally:
            os.close(handle)
    except OSError as problem:
        reason = _REASONS.get(problem.errno or 0, "failed")
        return Diagnostic("M001", Place(path), (("reason", reason),))
    if len(raw) > LARGEST:
        return Diagnostic("M002", Place(path), (("limit", f"{LARGEST // 1024} KiB"),))
    return raw


# Control characters, and those that hide, or turn the direction of, what stands beside them.
_UNWANTED = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)


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
    unwanted = _UNWANTED.search(text)
    if unwanted is None:
        return []
    seen: dict[str, Diagnostic] = {}
    for match in _UNWANTED.finditer(text):
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


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")


def scalar(text: str) -> Any:
    """A plain scalar: true, false, null and numbers; everything else is text (`on` and `None` too)."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if first.isdigit() or first in "+-.":
        if _INTEGER.match(text):
            return int(text)
        if _FLOAT.match(text):
            return float(text)
    return text


def build(source: Source) -> list[Diagnostic]:
    """Events to data. Iterative: `stack` holds the open containers, `key` the key that waits for a value."""
    path, problems = source.path, list[Diagnostic]()
    next_event: Callable[[], Any] = CParser(source.text).get_event
    stack: list[tuple[Block | Items, str | None]] = []
    node: Block | Items | None = None
    key: str | None = None
    documents = 0
    try:
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is ScalarEvent or kind is MappingStartEvent or kind is SequenceStartEvent:
                mark = event.start_mark
                line, column = mark.line + 1, mark.column + 1
                if event.anchor is not None:
                    problems.append(Diagnostic("M104", Place(path, line, column, len(event.anchor) + 1)))
                if event.tag is not None:
                    tag = event.tag.replace("tag:yaml.org,2002:", "!!", 1)
                    problems.append(
                        Diagnostic("M105", Place(path, line, column, len(tag)), (("tag", _short(tag)),))
                    )
                value: Any
                if kind is ScalarEvent:
                    end = event.end_mark
                    span = (line, column, (end.column - column + 1 or 1) if end.line == line - 1 else 1)
                    value = event.value
                    if event.style == '"' and (unwanted := _UNWANTED.search(value)):
                        values = (("character", f"U+{ord(unwanted[0]):04X}"),)
                        problems.append(Diagnostic("M005", Place(path, *span), values))
                    if key is None and type(node) is Block:  # this scalar is a key
                        if value == "<<" and event.implicit[0]:
                            problems.append(Diagnostic("M104", Place(path, *span)))
                        if value in node.keys_at:
                            first = str(node.keys_at[value][0])
                            problems.append(
                                Diagnostic(
                                    "M103", Place(path, *span), (("key", _short(value)), ("first", first))
                                )
                            )
                        node.keys_at[value] = span
                        key = value
                        continue
                    if event.implicit[0]:
                        value = scalar(value)
                else:
                    flow = bool(event.flow_style)
                    span = (line, column, 1)
                    value = Block(span, flow) if kind is MappingStartEvent else Items(span, flow)
                    if key is None and type(node) is Block:
                        problems.append(Diagnostic("M108", Place(path, *span)))
                        return _without_data(source, problems)
                if key is not None:
                    assert type(node) is Block
                    node[key] = value
                    node.values_at[key] = span
                    key = None
                elif type(node) is Items:
                    node.append(value)
                    node.items_at.append(span)
                else:
                    source.data = value
                if kind is not ScalarEvent:
                    if node is not None:
                        stack.append((node, None))
                    node = value
                    if len(stack) > DEEPEST:
                        problems.append(Diagnostic("M011", Place(path, *span), (("limit", str(DEEPEST)),)))
                        return _without_data(source, problems)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                node, key = stack.pop() if stack else (None, None)
            elif kind is AliasEvent:
                mark = event.start_mark
                problems.append(
                    Diagnostic("M104", Place(path, mark.line + 1, mark.column + 1, len(event.anchor) + 1))
                )
                return _without_data(source, problems)
            elif kind is DocumentStartEvent:
                documents += 1
                if documents > 1:
                    problems.append(Diagnostic("M010", Place(path, event.start_mark.line + 1)))
                    return _without_data(source, problems)
    except yaml.MarkedYAMLError as problem:
        problems.append(_not_yaml(source, problem))
        return _without_data(source, problems)
    except yaml.YAMLError:
        problems.append(Diagnostic("M008", Place(path)))
        return _without_data(source, problems)
    if documents == 0 or source.data is None:
        problems.append(Diagnostic("M009", Place(path)))
    return _without_data(source, problems) if problems else problems


def _without_data(source: Source, problems: list[Diagnostic]) -> list[Diagnostic]:
    """What half of a file, or one of two values, seems to say would only cause further complaints."""
    source.data = None
    return problems


_VARIANTS = (
    ("mapping values are not allowed", "colon"),
    ("cannot start any token", "start"),
    ("unexpected end of stream", "unclosed"),
    ("did not find expected ',' or", "unclosed"),
    ("expected <block end>", "indent"),
    ("did not find expected key", "indent"),
    ("did not find expected '-' indicator", "indent"),
)


def _not_yaml(source: Source, problem: yaml.MarkedYAMLError) -> Diagnostic:
    mark = problem.problem_mark or problem.context_mark
    place = Place(source.path, mark.line + 1, mark.column + 1) if mark else Place(source.path)
    said = str(problem.problem or "")
    variant = next((name for text, name in _VARIANTS if text in said), "")
    if variant == "colon" and ": " not in source.text.split("\n")[place.line - 1][: place.column - 1]:
        variant = "indent"  # the first colon of its line: the key itself stands in a wrong column
    return Diagnostic("M008", place, variant=variant)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
