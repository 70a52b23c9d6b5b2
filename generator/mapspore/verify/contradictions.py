"""What a run says against an entry: not that a case differs, but that a line of the YAML says too much, too little or
what is not so. In: a code, the place of the line, what fills its sentence. Out: text as `check` prints it. The
sentences stand in `templates/text/verify.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mapspore.base.diagnostics import Place
from mapspore.base.language import Language
from mapspore.base.terminal import excerpt, visible
from mapspore.text.phrases import catalogue, say

NO_VALUE, UNCOVERED, NOTHING_EQUAL, BROKEN = "V101", "V102", "V103", "V104"
NEEDLESS, HERE_TOO = "V201", "V202"
UNSEEN, UNREACHED = "V301", "V302"
CODES = (NO_VALUE, UNCOVERED, NOTHING_EQUAL, BROKEN, NEEDLESS, HERE_TOO, UNSEEN, UNREACHED)
COLUMNS = 100


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One thing that a run says against an entry."""

    code: str
    entry: str
    place: Place
    values: tuple[tuple[str, str], ...] = ()
    line: str = ""
    """The line of the entry, as it is written."""

    def said(self, language: Language) -> tuple[str, str]:
        """The sentence and the hint."""
        texts, values = catalogue("verify")["codes"][self.code], dict(self.values)
        return texts["says"][language].format(**values), texts["hint"][language].format(**values)


def as_lines(contradictions: Sequence[Contradiction], language: Language) -> Iterator[str]:
    """For people: place, code and sentence, the line, what to do."""
    for each in sorted(contradictions, key=lambda it: (it.place, it.code, it.values)):
        sentence, hint = each.said(language)
        spot = f"{visible(each.place.path)}:{each.place.line}:{each.place.column}:"
        yield f"{spot} error[{each.code}] {visible(sentence)}"
        if each.line:
            shown, at, length = excerpt(each.line, each.place.column - 1, each.place.width, COLUMNS)
            yield f"{each.place.line:6} | {shown}"
            yield f"{'':6} | {' ' * at}{'^' * length}"
        yield f"  {say('cli.frame.hint', language)}{visible(hint)}"
