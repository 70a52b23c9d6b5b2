"""The whole of a verification. In: the mappings of a registry, which of them to run, numbers of ranks. Out: a `Result`,
and the plans that were run. Entries about several processes are left to `collective.run`, all others to `single.run`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from mapspore.cases.collective.plan import CollectivePlan, collective_plan
from mapspore.cases.single.plan import CallPlan
from mapspore.resolve.registry import Mapping
from mapspore.verify.collective.run import run as run_collectives
from mapspore.verify.processes.jobs import Settings
from mapspore.verify.result import Result
from mapspore.verify.single.run import run_entries

Plan = CallPlan | CollectivePlan


def run(
    mappings: Sequence[Mapping], chosen: Collection[str], sizes: Sequence[int], settings: Settings
) -> tuple[Result, list[Plan]]:
    alone = [mapping for mapping in mappings if not mapping.needs_ranks and mapping.name in chosen]
    every = [collective_plan(mapping) for mapping in mappings if mapping.needs_ranks]
    collectives = [plan for plan in every if plan.name in chosen]
    result, calls = run_entries(alone, settings)
    return result + run_collectives(collectives, every, sizes, settings), [*calls, *collectives]
