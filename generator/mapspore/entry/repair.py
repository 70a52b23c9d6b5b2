"""What `fix` may do to a file without asking: line ends, byte order mark, tabs, the names of today for keys and words,
and the canonical layout.

A file's bytes go in, a `Repair` comes out; nothing is written here. A repair never changes what an entry
says: the canonical text is read back and compared before anybody gets it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml
from yaml._yaml import CParser

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.entry.canonical import canonical, misplaced_comment
from mapspore.entry.load import Source, build, decode, read_bytes
from mapspore.entry.parse import parse
from mapspore.entry.renames import with_names_of_today


@dataclass(frozen=True, slots=True)
class Repair:
    """One file: its text as it should be, or None if it can stay; and what only a person can mend."""

    source: Source
    text: str | None
    left: tuple[Diagnostic, ...] = ()


def repair(file: Path, path: str) -> Repair:
    """The repair of one entry file."""
    raw = read_bytes(file, path)
    if isinstance(raw, Diagnostic):
        return Repair(Source(path), None, (raw,))
    try:
        before = raw.decode("utf-8")
    except UnicodeDecodeError:
        source = Source(path)
        return Repair(source, None, tuple(decode(raw, source)))
    text, source, problems = _cleaned(before, path)
    if not problems:
        source.data = with_names_of_today(source.data)
        entry, problems = parse(source)
        if entry is not None and not problems:  # else the lines that the problems name would move
            wanted = canonical(source)
            if wanted is None:
                problems = [Diagnostic("M702", Place(path, misplaced_comment(source)))]
            elif _data(wanted, path) != source.data:
                raise ValueError(f"the canonical form of {path} says something else")
            else:
                text = wanted
    return Repair(source, text if text != before else None, tuple(problems))


def _cleaned(before: str, path: str) -> tuple[str, Source, list[Diagnostic]]:
    """The text with bytes in order, as a source; tabs stay if the file would not be sound without them."""
    text = before.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for candidate in (_without_tabs(text), text):
        if candidate is None:
            continue
        source = Source(path)
        problems = decode(candidate.encode("utf-8"), source) or build(source)
        if not problems or candidate == text:
            break
    return candidate or text, source, problems


def _data(text: str, path: str) -> Any:
    source = Source(path)
    return None if decode(text.encode("utf-8"), source) or build(source) else source.data


def _without_tabs(text: str) -> str | None:
    """Spaces for the tabs that indent or separate; None if that is not sure to keep the meaning.

    How wide a tab was meant to be is only known if nothing is indented with spaces. A tab inside a text is
    content and stays.
    """
    if "\t" not in text:
        return None
    indents = re.findall(r"^[ \t]+(?=\S)", text, re.MULTILINE)
    if any("\t" in indent for indent in indents):
        if any(" " in indent for indent in indents):
            return None
        text = re.sub(r"^\t+", lambda match: "  " * len(match[0]), text, flags=re.MULTILINE)
    try:
        tokens = list(yaml.scan(text, Loader=cast(Any, CParser)))
    except yaml.YAMLError:
        return None
    scalars = [(t.start_mark.index, t.end_mark.index) for t in tokens if isinstance(t, yaml.ScalarToken)]
    characters = list(text)
    for match in re.finditer("\t", text):
        if not any(first <= match.start() < last for first, last in scalars):
            characters[match.start()] = " "
    return "".join(characters)
