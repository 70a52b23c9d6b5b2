"""The cases of an entry, whichever harness runs them. In: a mapping; for what several processes verify, the numbers of
ranks and the entries that may take part. Out: cases as data. Needs no framework.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mapspore.cases.collective.entry_cases import collective_cases
from mapspore.cases.collective.plan import collective_plan
from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import call_plan
from mapspore.resolve.registry import Mapping


def all_cases(mapping: Mapping, sizes: Sequence[int], peers: Sequence[Mapping]) -> list[dict[str, Any]]:
    """Every case, each with its number of ranks; `peers` are the entries that send or receive messages."""
    if not mapping.needs_ranks:
        return [case | {"size": 1} for case in call_cases(call_plan(mapping))]
    own, others = collective_plan(mapping), [collective_plan(peer) for peer in peers]
    return [case | {"size": size} for size in sizes for case in collective_cases(own, size, others)]
