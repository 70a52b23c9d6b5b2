"""A pair of programs: one for torch, and the same through the adapter; and on how many ranks a program is run."""

from __future__ import annotations

from dataclasses import dataclass

RANKS = 2
"""On how many ranks a program is run that connects to others."""


@dataclass(frozen=True, slots=True)
class Programs:
    before: str
    after: str
    made: bool
    """Whether they were made from the plan, not written beside the entry."""


def ranks_of(text: str) -> int:
    """On how many ranks a program is run: one that connects to no other needs none."""
    return RANKS if "init_process_group(" in text else 1
