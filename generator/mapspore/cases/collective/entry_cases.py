"""All cases of an entry that several processes verify. In: its plan, a number of ranks, and the plans of all entries.
Out: cases as data. Needs no framework.
"""

from __future__ import annotations

from collections.abc import Sequence

from mapspore.cases.collective import cases as made
from mapspore.cases.collective.case_builder import Case
from mapspore.cases.collective.messages import messages, partner
from mapspore.cases.collective.plain import described, returned, unmapped
from mapspore.cases.collective.plan import CollectivePlan
from mapspore.cases.collective.refusals import refusals

THOROUGH = 2
"""The number of ranks at which every case is made; at others only those whose result a number of ranks can change."""


def collective_cases(plan: CollectivePlan, size: int, plans: Sequence[CollectivePlan]) -> list[Case]:
    """The cases of a plan at a number of ranks."""
    thorough = size == THOROUGH
    found: list[Case] = []
    if plan.kind == "collective":
        found += made.values(plan, size, thorough)
        found += made.in_groups(plan, size)
        found += made.call_forms(plan, size)
        found += refusals(plan, size)
    elif plan.kind == "peer" and (other := partner(plan, plans)) is not None:
        found += messages(plan, other, size, thorough)
        found += refusals(plan, size)
    elif plan.kind == "plain":
        found += returned(plan, size)
    elif plan.kind == "object":
        found += described(plan, size)
    elif plan.kind == "unmapped":
        found += unmapped(plan, size)
    if not thorough:  # what is refused does not depend on the number of ranks; a few show that it does not
        found = [case for case in found if case["kind"] != "error" or case.get("quick")]
    assert len({case["id"] for case in found}) == len(found), f"two cases of {plan.name} have one id"
    return found
