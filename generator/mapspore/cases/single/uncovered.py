"""Ways to call that no case covers. In: a plan. Out: each way, and the parameters that no value is known for. A way
that every target refuses for such a parameter is covered: that it is refused can be shown with any value.
"""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.cases.single.case_builder import CallCaseBuilder
from mapspore.cases.single.objects import ObjectCaseBuilder
from mapspore.cases.single.plan import CallPlan, Way
from mapspore.cases.single.refusals import unknown


def uncovered(plan: CallPlan) -> Iterator[tuple[Way, list[str]]]:
    """The ways without a case, each with what is missing."""
    if plan.sort == "function":
        for way in plan.ways:
            builder = CallCaseBuilder(plan, way)
            if not (builder.possible or builder.called or list(unknown(builder))):
                yield way, builder.missing
    elif plan.sort in ("class", "optimizer"):
        built = ObjectCaseBuilder(plan)
        for part in filter(None, (built.maker, built.caller)):
            if not part.possible:
                yield part.way, part.missing
