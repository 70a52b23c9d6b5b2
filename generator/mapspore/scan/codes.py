"""The codes of findings, and the closed lists of severities, efforts and confidences.

A code stands for a kind of difference and keeps its meaning; what it says in either language is in
`templates/text/scan.yaml`.
"""

from __future__ import annotations

from typing import Literal

from mapspore.words.kinds import Kind

Severity = Literal["breaks", "silent", "change", "same"]
SEVERITIES: tuple[Severity, ...] = ("breaks", "silent", "change", "same")
"""From worst to harmless: no way to do it; other numbers without an error; to be written differently; nothing."""

Effort = Literal["redesign", "hand", "rewrite", "import", "unknown"]
EFFORTS: tuple[Effort, ...] = ("redesign", "hand", "rewrite", "import", "unknown")
"""What one use costs: another design; work by hand; an exact rewrite; a changed import; nobody has looked yet."""

Confidence = Literal["certain", "likely", "possible", "at_run_time"]
CONFIDENCES: tuple[Confidence, ...] = ("certain", "likely", "possible", "at_run_time")
"""How sure it is: the name is resolved; the value is inferred; the text leaves an argument open; it takes a situation
that no argument shows, such as an empty tensor, so that only a run can tell."""

KIND_CODES: dict[Kind, str] = {
    Kind.SAME: "S100",
    Kind.EXTRA: "S101",
    Kind.RENAMED: "S102",
    Kind.TYPE: "S103",
    Kind.ORDER: "S104",
    Kind.SPLIT: "S105",
    Kind.MERGED: "S106",
    Kind.MISSING: "S107",
    Kind.REQUIRED: "S108",
    Kind.OUTPUT: "S109",
    Kind.VALUE: "S110",
    Kind.DEFAULT: "S111",
    Kind.BEHAVIOUR: "S112",
    Kind.UNMAPPED: "S113",
    Kind.MIGRATE: "S114",
    Kind.ANSWERED: "S115",
    Kind.UNNEEDED: "S116",
    Kind.PROVIDED: "S117",
}

UNPARSED, NOT_UTF8, TOO_LARGE, LOOP, UNREADABLE, NO_NOTEBOOK = "S001", "S002", "S003", "S004", "S005", "S006"
SAME, CANNOT_TELL, UNKNOWN = KIND_CODES[Kind.SAME], "S200", "S201"

FILE_CODES = (UNPARSED, NOT_UTF8, TOO_LARGE, LOOP, UNREADABLE, NO_NOTEBOOK)
CODES = (*FILE_CODES, *sorted(KIND_CODES.values()), CANNOT_TELL, UNKNOWN)
QUIET = frozenset({SAME, KIND_CODES[Kind.UNNEEDED], KIND_CODES[Kind.PROVIDED], UNKNOWN})
"""Reported and counted, but nothing to fail for unless they are selected by name. So is what only a run can tell, which
is told once per API, not at each place."""
