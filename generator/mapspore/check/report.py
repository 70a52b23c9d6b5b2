"""Diagnostics for readers: people at a terminal, programs (`json`), GitHub's annotations, and SARIF viewers.

In go diagnostics that are already in order, and the sources they point into; out comes text. The sentences
are those of the phrase catalogue, so all formats say the same.

The `json` format, version 1: an object with `format` (1), `tool` (`name`, `version`), `entries` (how many
were checked) and `problems`, a list sorted by place. A problem has `code`, `severity` (`error` or `warning`),
`path` (relative to the root, with forward slashes), `line`, `column` and `width` (counted in characters, the
first two from 1), `sentence` and `hint` (each `{en, zh}`), and `fixable` (whether `mapspore fix` repairs it).
Within a version keys are added, never removed or given another meaning.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Literal

from mapspore.base.diagnostics import Diagnostic
from mapspore.base.json_text import json_text
from mapspore.base.language import LANGUAGES, Language
from mapspore.base.terminal import excerpt, visible
from mapspore.text.phrases import said, say

if TYPE_CHECKING:
    from mapspore.entry.load import Source

Format = Literal["text", "json", "github", "sarif"]
FORMATS: tuple[Format, ...] = ("text", "json", "github", "sarif")
JSON_FORMAT = 1
COLUMNS = 110
"""How wide a quoted line may be where no terminal says otherwise."""
_GUTTER = 9


class Ink:
    """Colours for a terminal; without one, every text stays as it is."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.on else text

    def red(self, text: str) -> str:
        return f"\x1b[1;31m{text}\x1b[0m" if self.on else text

    def yellow(self, text: str) -> str:
        return f"\x1b[1;33m{text}\x1b[0m" if self.on else text

    def cyan(self, text: str) -> str:
        return f"\x1b[36m{text}\x1b[0m" if self.on else text

    @classmethod
    def for_stream(cls, stream: IO[str], environment: Mapping[str, str] = os.environ) -> Ink:
        plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
        return cls(stream.isatty() and not plain)


def print_report(
    diagnostics: Sequence[Diagnostic],
    sources: Sequence[Source],
    checked: int,
    style: Format,
    language: Language,
    stream: IO[str],
) -> None:
    """Writes the whole report on so many entries, with a closing line where people read it."""
    if style == "json":
        stream.write(as_json(diagnostics, checked))
        return
    if style == "sarif":
        from mapspore.check.sarif import as_sarif

        stream.write(as_sarif(diagnostics, language))
        return
    if style == "github":
        lines = as_github(diagnostics, language)
    else:
        columns = shutil.get_terminal_size().columns if stream.isatty() else COLUMNS
        lines = as_text(diagnostics, sources, language, Ink.for_stream(stream), columns)
    stream.writelines(f"{line}\n" for line in lines)
    stream.write(summary(diagnostics, checked, language) + "\n")


def as_text(
    diagnostics: Sequence[Diagnostic],
    sources: Sequence[Source],
    language: Language,
    ink: Ink | None = None,
    columns: int = COLUMNS,
) -> Iterator[str]:
    """The lines for people: place, code and sentence; the line with a caret run below it; the hint."""
    ink = ink or Ink(False)
    room = max(columns - _GUTTER, 20)
    quoted = _Quotes(sources)
    for diagnostic in diagnostics:
        place = diagnostic.place
        sentence, hint = said(diagnostic, language)
        colour = ink.red if diagnostic.severity == "error" else ink.yellow
        spot = ink.bold(f"{visible(place.path)}:{place.line}:{place.column}:")
        yield f"{spot} {colour(f'{diagnostic.severity}[{diagnostic.code}]')} {visible(sentence)}"
        line = quoted.line(place.path, place.line)
        if line is not None:
            shown, at, length = excerpt(line, place.column - 1, place.width, room)
            yield f"{place.line:6} | {shown}"
            yield f"{'':6} | {' ' * at}{colour('^' * length)}"
        if hint:
            yield f"  {ink.cyan(say('cli.frame.hint', language))}{visible(hint)}"


class _Quotes:
    """The lines of the sources, cut apart only where one is asked for."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.path: source for source in sources}
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str | None:
        """A line of an entry or of an example beside it; None if its text could not be read."""
        if path not in self._lines:
            self._lines[path] = self._text(path).split("\n")
        lines = self._lines[path]
        return lines[number - 1] if number <= len(lines) and lines != [""] else None

    def _text(self, path: str) -> str:
        if path in self._sources:
            return self._sources[path].text
        stem, _, suffix = path.rpartition("/")[2].partition(".")
        source = self._sources.get(f"{path.rpartition('/')[0]}/{stem}.yaml")
        return source.examples.get(f".{suffix}", "") if source is not None else ""


def summary(diagnostics: Sequence[Diagnostic], entries: int, language: Language) -> str:
    """The closing line: how many problems there are, and what to run next."""
    if not diagnostics:
        done = say("cli.check.clean", language, count=entries)
        return say("cli.frame.next", language, done=done, command="generate")
    files = len({diagnostic.place.path for diagnostic in diagnostics})
    mendable = sum(1 for diagnostic in diagnostics if fixable(diagnostic))
    following = "fix" if mendable else f"explain {diagnostics[0].code}"
    key = "cli.check.mendable" if mendable else "cli.check.problems"
    done = say(key, language, count=len(diagnostics), files=files, mendable=mendable)
    return say("cli.frame.next", language, done=done, command=following)


def fixable(diagnostic: Diagnostic) -> bool:
    """Whether `mapspore fix` repairs this problem."""
    from mapspore.check.rules import FIXABLE

    return diagnostic.code in FIXABLE


def as_json(diagnostics: Sequence[Diagnostic], entries: int) -> str:
    """The report for programs; the same bytes in every language."""
    from mapspore.base.version import version

    problems = [_json_problem(diagnostic) for diagnostic in diagnostics]
    tool = {"name": "mapspore", "version": version()}
    content = {"format": JSON_FORMAT, "tool": tool, "entries": entries, "problems": problems}
    return json_text(content, indent=2) + "\n"


def _json_problem(diagnostic: Diagnostic) -> dict[str, Any]:
    place = diagnostic.place
    texts = {language: said(diagnostic, language) for language in LANGUAGES}
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "width": place.width,
        "sentence": {language: texts[language][0] for language in LANGUAGES},
        "hint": {language: texts[language][1] for language in LANGUAGES},
        "fixable": fixable(diagnostic),
    }


def as_github(diagnostics: Sequence[Diagnostic], language: Language) -> Iterator[str]:
    """Workflow commands, which GitHub turns into annotations beside the changed lines."""
    for diagnostic in diagnostics:
        place = diagnostic.place
        sentence, hint = map(visible, said(diagnostic, language))
        message = "\n".join([sentence, *([say("cli.frame.hint", language) + hint] if hint else [])])
        fields = {
            "file": place.path,
            "line": str(place.line),
            "endLine": str(place.line),
            "col": str(place.column),
            "endColumn": str(place.column + place.width),
            "title": f"mapspore {diagnostic.code}",
        }
        listed = ",".join(f"{name}={visible(_escaped_field(value))}" for name, value in fields.items())
        yield f"::{diagnostic.severity} {listed}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_field(text: str) -> str:
    return visible(_escaped(text).replace(":", "%3A").replace(",", "%2C"))
