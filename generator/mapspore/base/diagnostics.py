"""What a person reads when something is wrong: a code, a place, a sentence and a hint.

Every stage returns diagnostics instead of raising them, so one run reports all problems. The sentences
come from the rule that owns the code (see `check.rules`); this module only carries and sorts them.
"""

from __future__ import annotations

import errno
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]
WRONG_USAGE = 2
"""The exit code of a command that was not called as its help says."""


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
    """A person's mistake outside the registry, such as a wrong name or an unreadable folder, by its code.

    The sentence and the hint stand in the catalogue (see `text.phrases.said`); `hint` names a variant of the hint where
    it is not that of the sentence. A value is a text, or pairs of a key and values that a table of the catalogue words.
    """

    def __init__(
        self, code: str, variant: str = "", /, *, hint: str = "", exit_code: int = 1, **values: object
    ) -> None:
        super().__init__(code, variant, values)
        self.code = code
        self.variant = variant
        self.hint = hint or variant
        self.exit_code = exit_code
        self.values = values


WORDED = ("EACCES", "EPERM", "ENOSPC", "EDQUOT", "EROFS", "EISDIR", "ENOTDIR", "ENOENT", "ENAMETOOLONG", "EIO")
"""What the system refuses with, as far as the catalogue has words for it in both languages."""


def system_reason(problem: OSError) -> list[tuple[str, dict[str, str]]]:
    """Why the system refused, for the sentence of a refusal."""
    name = errno.errorcode.get(problem.errno or 0, "")
    return [(name if name in WORDED else "other", {"detail": (problem.strerror or str(problem)).lower()})]


def in_order(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place and code, each once."""
    unique = {d.order: d for d in diagnostics}
    return [unique[key] for key in sorted(unique)]
