"""The verification of calls, in one process each. In: entries, or their plans, and targets. Out: a `Result` with one
finding per case and target, and with what the findings say against the entries. Each entry has processes of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from mapspore.cases.single.case_builder import NATIVE, Case
from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import CallPlan, call_plan
from mapspore.resolve.registry import Mapping
from mapspore.verify.compare import CRASHED, DIFFERENT, FAILED, NO_EFFECT, NO_KERNEL, NO_REFERENCE, SKIPPED
from mapspore.verify.processes.jobs import Done, Job, Key, Settings, run_jobs
from mapspore.verify.result import Finding, Result
from mapspore.verify.single.claims import broken, contradictions
from mapspore.verify.single.drawn import draw

SIDE = "both"
OF_A_START = 60.0  # seconds for each process that a case starts itself
OF_A_JOB = 250  # cases; more of them would make one crash cost more
SUSPECTS = 80  # differing cases that are run again alone; where there are more, it is not by chance
STARTS = 60  # of what is left of a job: a crash costs the case that it happens in, and no other


NONE: dict[str, list[Case]] = {}
Batch = list[tuple[CallPlan, Case]]


def run_entries(mappings: Sequence[Mapping], settings: Settings) -> tuple[Result, list[CallPlan]]:
    """Run the cases of some entries, and question what the entries say; an entry whose cases cannot be made costs the
    others nothing."""
    plans: dict[str, CallPlan] = {}
    unmade = []
    for mapping in mappings:
        try:
            plan = call_plan(mapping)
            call_cases(plan, settings.quick)
            plans[mapping.name] = plan
        except Exception as error:
            unmade.append(broken(mapping, error))
    drawn = {} if settings.quick or not settings.draws else draw(list(plans.values()), settings)
    result = run(list(plans.values()), settings, drawn={name: each.cases for name, each in drawn.items()})
    result.drawn = drawn
    result.contradictions += unmade
    if not settings.quick and not settings.targets:
        for mapping in mappings:
            if mapping.name in plans:
                own = [finding for finding in result.findings if finding.entry == mapping.name]
                result.contradictions += contradictions(mapping, plans[mapping.name], own)
    return result, list(plans.values())


def run(
    plans: Sequence[CallPlan],
    settings: Settings,
    stops: bool = False,
    ranked: Callable[[Case], int] = lambda case: 0,
    drawn: dict[str, list[Case]] = NONE,
) -> Result:
    """Run the cases of some plans on both sides and compare, ours and those of PyTorch's own tests; of an entry only
    the first difference, if asked, those of a lower rank first."""
    batch = [
        (plan, case | {"target": target, "stops": stops})
        for plan in plans
        for case in [*sorted(call_cases(plan, settings.quick), key=ranked), *drawn.get(plan.name, ())]
        for target in filter(settings.wants, _tried(plan, case))
    ]
    done = _run(batch, settings, len(batch) if stops else OF_A_JOB)
    again = [] if stops else _alone(batch, done, settings)
    asking = [] if stops else list(_questions(batch, done))
    asked = _run(asking, settings, OF_A_JOB)
    result = Result()
    for plan, case in batch:
        result.findings += _findings(plan, case, done, asked)
    if not stops and not settings.quick and not settings.targets:
        result.beside = list(_beside(batch, settings))
    result.retried = [f"{case} {target or ''}".strip() for case, target in (*done.retried, *again)]
    return result


def _alone(batch: Batch, done: Done, settings: Settings) -> list[Key]:
    """The cases that differ only after others in the same process: each that differs is run again alone, and what it
    does there counts, for MindSpore may remember an error."""
    differing = [
        (plan, case) for plan, case in batch
        for said in done.outcomes.get((case["id"], case["target"]), ())
        if said["kind"] == DIFFERENT or "undeclared" in said
    ]  # fmt: skip
    if len(differing) > SUSPECTS:
        return []
    alone = _run(differing, settings, 1)
    healed = [key for key, (said,) in alone.outcomes.items() if said["kind"] != DIFFERENT and "undeclared" not in said]
    done.outcomes |= {key: alone.outcomes[key] for key in healed}
    return healed


def _run(batch: Batch, settings: Settings, most: int) -> Done:
    jobs = [_job([case for _, case in share], settings) for share in _shares(batch, most)]
    done = Done()
    for each in run_jobs(jobs, settings):
        done.outcomes |= each.outcomes
        done.failed |= each.failed
        done.retried |= each.retried
    return done


def _questions(batch: Batch, done: Done) -> Iterator[tuple[CallPlan, Case]]:
    """For each case that the adapter refuses: the same, asked of MindSpore itself. It is run apart, because what is
    refused may be refused for a crash."""
    for plan, case in batch:
        for said in done.outcomes.get((case["id"], case["target"]), ()):
            if said.get("questionable"):
                yield plan, case | {"id": case["id"] + NATIVE, "native": True}


def _beside(batch: Batch, settings: Settings) -> Iterator[Finding]:
    """What MindSpore's own counterparts of what the runtime has do in the same cases. They are run apart: a crash of
    theirs is none of the adapter."""
    asked = [
        (plan, case | _as_beside(case["id"], target, told))
        for plan, case in batch
        for target, told in case.get("beside", {}).items()
    ]
    done = _run(asked, settings, OF_A_JOB)
    for plan, case in asked:
        key = (case["id"], case["target"])
        (said,) = done.outcomes.get(key) or [{"kind": CRASHED, "detail": ""}]
        if said["kind"] not in (SKIPPED, NO_REFERENCE):
            around = {"around": said.get("around", [])}
            yield Finding(plan.name, case | around, 1, case["target"], said["kind"], 0, said["detail"])


def _as_beside(name: str, target: str, told: dict[str, Any]) -> Case:
    """What makes of a case one of MindSpore's own counterpart."""
    by_target = {key: {target: told[key]} for key in ("state", "differs")}
    return {
        "id": f"{name}/beside", "target": target, "beside_runtime": True, "direct": told["direct"], **by_target,
    }  # fmt: skip


def _shares(batch: Batch, most: int) -> Iterator[Batch]:
    """The cases of each job: of one entry only, so that nothing depends on which entries run together."""
    for _, pairs in groupby(batch, key=lambda pair: pair[0].name):
        of_entry = list(pairs)
        yield from (of_entry[start : start + most] for start in range(0, len(of_entry), most))


def _job(cases: list[Case], settings: Settings) -> Job:
    started = sum(case.get("ranks", 0) for case in cases)
    return Job(SIDE, 1, tuple(cases), adapter=settings.adapter, start=OF_A_START * started, restarts=STARTS)


def _tried(plan: CallPlan, case: Case) -> list[str | None]:
    """Every target; and what the adapter chooses by itself, of which a few cases show that it works."""
    return [*plan.targets, *((None,) if case.get("quick") and None not in plan.targets else ())]


def _promised(plan: CallPlan, case: Case, kind: str) -> bool:
    """Whether a case has to run on a CPU: every case in which the adapter chooses the target; of a target that is
    documented for a CPU, the plain case, and every case that seemed to have no effect."""
    if case["target"] is None:
        return True
    return plan.targets[case["target"]].on_cpu and (kind == NO_EFFECT or bool(case.get("plain")))


def _findings(plan: CallPlan, case: Case, done: Done, asked: Done) -> list[Finding]:
    entry = plan.name
    key = (case["id"], case["target"])
    if key not in done.outcomes:
        return [Finding(entry, case, 1, case["target"], CRASHED, 0, done.failed.get(key, "did not run"))]
    (said,) = done.outcomes[key]
    kind: Any = said["kind"]
    if kind == SKIPPED:
        return []
    if kind in (NO_KERNEL, NO_EFFECT) and _promised(plan, case, kind):
        kind = DIFFERENT
    case = case | {"measured": said.get("measured", [])}
    native = ""
    if said.get("questionable"):
        ask = (case["id"] + NATIVE, case["target"])
        native = asked.outcomes[ask][0]["kind"] if ask in asked.outcomes else CRASHED
    differed = said.get("differed", False) or native in FAILED
    reached = tuple(said.get("reached", ()))
    found = [Finding(entry, case, 1, case["target"], kind, 0, said["detail"], native, reached, differed)]
    if "undeclared" in said:
        direct = case | {"id": f"{case['id']}/direct", "kind": "direct"}
        found.append(Finding(entry, direct, 1, case["target"], DIFFERENT, 0, said["undeclared"]))
    return found
