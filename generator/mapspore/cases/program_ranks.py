"""On how many ranks a program is run. In: its text. Out: a number."""

from __future__ import annotations

RANKS = 2


def ranks_of(text: str) -> int:
    """On how many ranks a program is run: one that connects to no other needs none."""
    return RANKS if "init_process_group(" in text else 1
