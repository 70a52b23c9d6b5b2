"""Cases of what needs no call of MindSpore: constants, questions about the environment, and what has nothing to do. In:
a plan. Out: cases as data.
"""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.cases.single.case_builder import CallCaseBuilder, Case
from mapspore.cases.single.plan import CallPlan

SEED = 3
"""What stands for any argument that must be given."""


def of_constant(plan: CallPlan) -> Iterator[Case]:
    """The value under each of its names."""
    for name in (plan.name, *plan.aliases):
        yield _case(plan, f"value-{name}", "constant", name) | {"plain": name == plan.name}


def of_answer(plan: CallPlan) -> Iterator[Case]:
    """The question, as it is asked without arguments that can be left out."""
    yield _case(plan, "answer", "value", plan.name) | {"plain": True}


def of_unneeded(plan: CallPlan) -> Iterator[Case]:
    """One call; or of a decorator or a context: around a function, with and without a call of its own, and `with`."""
    if not plan.decorates:
        yield _case(plan, "nothing", "unneeded", plan.name) | {"plain": True, "use": "call"}
        return
    for use in ("bare", "called", "context"):
        yield _case(plan, f"nothing-{use}", "unneeded", plan.name) | {"plain": use == "bare", "use": use}


def _case(plan: CallPlan, label: str, kind: str, api: str) -> Case:
    given = dict.fromkeys(plan.signatures[0].required, SEED) if kind != "constant" else {}
    args, kwargs = CallCaseBuilder(plan, plan.signatures[0]).placed(given, leading=0)
    call = {"api": api, "args": args, "kwargs": kwargs}
    return {"id": f"{plan.name}/{label}", "kind": kind, "signature": 0, "given": given, "calls": [call], "quick": True}
