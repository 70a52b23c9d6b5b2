"""The kinds of difference between two parameters or results, and their order of severity.

`Kind` lists them from harmless to harmful: what breaks loudly comes before what changes numbers
silently. The verdict of a target is the worst kind that no exception covers.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    SAME = "same"
    PROVIDED = "provided"
    UNNEEDED = "unneeded"
    EXTRA = "extra"
    ANSWERED = "answered"
    RENAMED = "renamed"
    TYPE = "type"
    ORDER = "order"
    SPLIT = "split"
    MERGED = "merged"
    MISSING = "missing"
    REQUIRED = "required"
    OUTPUT = "output"
    VALUE = "value"
    DEFAULT = "default"
    BEHAVIOUR = "behaviour"
    MIGRATE = "migrate"
    UNMAPPED = "unmapped"

    @property
    def severity(self) -> int:
        return _SEVERITY[self]


_SEVERITY = {kind: rank for rank, kind in enumerate(Kind)}


class Exemption(StrEnum):
    """Why a difference still counts as consistent, by the rule of the official tables."""

    DTYPES = "dtypes"
    GENERAL = "general"
    EXTRA = "extra"
    OVERLOAD = "overload"


CONSISTENT = "consistent"
"""The verdict of a target none of whose differences counts."""

GENERAL_PARAMETERS = frozenset(
    [
        "out",
        "layout",
        "device",
        "requires_grad",
        "pin_memory",
        "memory_format",
        "stable",
        "sparse_grad",
        "size_average",
        "reduce",
    ]
)
"""torch-only parameters that do not make an API inconsistent when MindSpore lacks them."""


def verdict(kinds: list[Kind]) -> str:
    """The worst of the kinds that count, or `consistent`."""
    worst = max(kinds, key=lambda kind: kind.severity, default=Kind.SAME)
    return CONSISTENT if worst is Kind.SAME else worst.value


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""Names that torch takes in place of its own without declaring them. The adapter has the declared ones only."""
