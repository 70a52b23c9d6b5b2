"""The cases of an entry, whichever harness runs them. In: a mapping; for what several processes verify, the numbers of
ranks and the entries that may take part. Out: cases as data. Needs no framework.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mapspore.cases.collective.entry_cases import cases_of
from mapspore.cases.collective.plan import plan
from mapspore.cases.single.entry_cases import cases_of as cases_in_one_process
from mapspore.cases.single.plan import plan as plan_in_one_process
from mapspore.resolve.registry import Mapping


def all_cases(mapping: Mapping, sizes: Sequence[int], peers: Sequence[Mapping]) -> list[dict[str, Any]]:
    """Every case, each with its number of ranks; `peers` are the entries that send or receive messages."""
    if not mapping.needs_ranks:
        return [case | {"size": 1} for case in cases_in_one_process(plan_in_one_process(mapping))]
    own, others = plan(mapping), [plan(peer) for peer in peers]
    return [case | {"size": size} for size in sizes for case in cases_of(own, size, others)]
