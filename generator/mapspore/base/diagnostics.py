"""What a person reads when something is wrong: a code, a place, a sentence and a hint.

Every stage returns diagnostics instead of raising them, so one run reports all problems. The sentences
come from the rule that owns the code (see `check.rules`); this module only carries and sorts them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Place(NamedTuple):
    """A spot in a file: 1-based line and column, and how many characters it covers."""

    path: str
    line: int = 1
    column: int = 1
    width: int = 1


class Diagnostic(NamedTuple):
    """One problem. `values` fill the rule's sentence and hint, in whichever language is asked for."""

    code: str
    place: Place
    values: tuple[tuple[str, str], ...] = ()
    variant: str = ""
    severity: Severity = "error"

    @property
    def order(self) -> tuple[str, int, int, str, str, tuple[tuple[str, str], ...]]:
        place = self.place
        return (place.path, place.line, place.column, self.code, self.variant, self.values)


class Refusal(Exception):
    """A person's mistake outside the registry (wrong name, unreadable folder): a sentence and a hint.

    `zh` holds both in Chinese.
    """

    def __init__(self, sentence: str, hint: str = "", exit_code: int = 1, *, zh: tuple[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
        self.exit_code = exit_code
        self.zh = zh

    def said(self, language: Literal["en", "zh"]) -> tuple[str, str]:
        """The sentence and the hint in a language."""
        return self.zh if language == "zh" and self.zh is not None else (self.sentence, self.hint)


def in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place and code, each once."""
    unique = {d.order: d for d in diagnostics}
    return [unique[key] for key in sorted(unique)]
