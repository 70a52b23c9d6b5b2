"""Calls of PyTorch's own tests. In: plans. Out: by entry that the tests know, the cases that were chosen and what tells
which ones they are. A process that imports torch draws the calls; `cases.single.drawn` makes cases of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mapspore.cases.single.drawn import digest, drawn_cases
from mapspore.cases.single.entry_cases import completed
from mapspore.cases.single.plan import CallPlan
from mapspore.verify.processes.jobs import Job, Settings, run_jobs

SIDE = "samples"
OF_AN_ENTRY = 60.0  # seconds
DRAWN = ("function", "class", "optimizer")


@dataclass(frozen=True)
class Drawn:
    """The cases of an entry that PyTorch's own tests gave."""

    names: tuple[str, ...]
    """The names of the descriptions."""
    cases: list[dict[str, Any]]
    calls: int
    """How many calls there were to choose from."""
    unstated: int
    """How many more have an argument that cannot be stated as data."""

    @cached_property
    def data(self) -> dict[str, Any]:
        """What the evidence keeps of them."""
        return {"names": list(self.names), "calls": self.calls, "digest": digest(self.cases)}


def draw(plans: Sequence[CallPlan], settings: Settings) -> dict[str, Drawn]:
    """By entry, what was drawn; entries that the tests do not know are left out."""
    asked = [plan for plan in plans if plan.sort in DRAWN]
    cases = [{"id": plan.name, "names": [plan.name, *plan.aliases], "sort": plan.sort} for plan in asked]
    if not cases:
        return {}
    (done,) = run_jobs([Job(SIDE, 1, tuple(cases), start=OF_AN_ENTRY, of_a_case=OF_AN_ENTRY)], settings)
    found: dict[str, Drawn] = {}
    for plan in asked:
        for said in done.outcomes.get((plan.name, None), ()):
            if said["names"]:
                made = [completed(plan, case) for case in drawn_cases(plan, said["calls"])]
                found[plan.name] = Drawn(tuple(said["names"]), made, len(said["calls"]), said["unstated"])
    return found
