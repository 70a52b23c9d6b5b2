"""All cases of an entry that one process verifies. In: its plan. Out: cases as data, each with what the worker has to
know of the entry. Needs no framework.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mapspore.cases.single import alone, objects
from mapspore.cases.single.case_builder import Case
from mapspore.cases.single.cases import of_function
from mapspore.cases.single.plan import CallPlan, NativeCall
from mapspore.cases.single.program_cases import of_programs


def call_cases(plan: CallPlan, quick: bool = False) -> list[Case]:
    """The cases of a plan, each with what the worker has to know of the entry."""
    found = [completed(plan, case) for case in _made(plan) if not quick or case.get("quick")]
    assert len({case["id"] for case in found}) == len(found), f"two cases of {plan.name} have one id"
    return found


def _made(plan: CallPlan) -> list[Case]:
    return list(_CASES[plan.sort](plan))


_CASES: dict[str, Callable[[CallPlan], Iterator[Case]]] = {
    "function": of_function,
    "class": objects.of_class,
    "optimizer": objects.of_optimizer,
    "constant": alone.of_constant,
    "answer": alone.of_answer,
    "unneeded": alone.of_unneeded,
    "uncalled": lambda plan: iter(()),
    "migration": objects.of_migration,
    "refusal": objects.of_refusal,
    "program": of_programs,
}


def _direct(given: Iterable[str], direct: NativeCall) -> bool:
    return set(direct.needed) <= set(given) <= set(direct.passed)


def completed(plan: CallPlan, case: Case) -> Case:
    """A case with what the worker has to know of the entry."""
    own = {target: each.limits[case["signature"]].direct for target, each in plan.targets.items() if each.limits}
    given: list[str] = case["made_with"] if "made_with" in case else list(case["given"])
    direct = {target: each.data for target, each in own.items() if each and _direct(given, each)}
    return (
        case
        | {
            "entry": plan.name,
            "direct": direct,
            "of_class": plan.sort in ("class", "optimizer"),
            "modes": plan.modes,
            "uninitialised": plan.uninitialised,
            "nowhere": plan.nowhere,
            "single_implementation": None in plan.targets,
            "state": {target: each.state for target, each in plan.targets.items()},
            "differs": {target or "": each.differs for target, each in plan.targets.items()},
            "dtypes": {target: each.dtypes for target, each in plan.targets.items() if each.dtypes},
        }
        | _beside(plan, case)
    )


BESIDE = ("value", "object")
"""Kinds of case in which MindSpore's own counterpart of what the runtime has is called too."""


def _beside(plan: CallPlan, case: Case) -> Case:
    """How MindSpore's own counterparts are called beside what the runtime has, and what the entry says of them."""
    if case["kind"] not in BESIDE:
        return {}
    given: list[str] = case.get("made_with", list(case["given"]))
    own = {
        target: {"direct": native.data, "state": each.state, "differs": each.differs}
        for target, each in plan.beside.items()
        if (native := each.limits[case["signature"]].direct) and _direct(given, native)
    }
    return {"beside": own} if own else {}
