"""Signatures that no case covers. In: a plan. Out: each of them, and the parameters that no value is known for. One
that every target refuses for such a parameter is covered: that it is refused can be shown with any value.
"""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.cases.single.case_builder import CallCaseBuilder
from mapspore.cases.single.objects import ObjectCaseBuilder
from mapspore.cases.single.plan import CallPlan, CallSignature
from mapspore.cases.single.refusals import unknown


def uncovered(plan: CallPlan) -> Iterator[tuple[CallSignature, list[str]]]:
    """The signatures without a case, each with what is missing."""
    if plan.sort == "function":
        for signature in plan.signatures:
            builder = CallCaseBuilder(plan, signature)
            if not (builder.possible or builder.called or list(unknown(builder))):
                yield signature, builder.missing
    elif plan.sort in ("class", "optimizer"):
        built = ObjectCaseBuilder(plan)
        for part in filter(None, (built.maker, built.caller)):
            if not part.possible:
                yield part.signature, part.missing
