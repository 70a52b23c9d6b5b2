"""The verification of calls, in one process each. In: plans and targets. Out: a `Result` with one finding per case and
target. Each entry has processes of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from mapspore.cases.single.case_builder import Case
from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import CallPlan
from mapspore.verify.compare import DIFFERENT, NO_EFFECT, NO_KERNEL, SKIPPED
from mapspore.verify.processes.jobs import Done, Job, Settings, run_jobs
from mapspore.verify.result import Finding, Result

SIDE = "both"
OF_A_START = 60.0  # seconds for each process that a case starts itself
OF_A_JOB = 250  # cases; more of them would make one crash cost more


def run(
    plans: Sequence[CallPlan],
    settings: Settings,
    stops: bool = False,
    ranked: Callable[[Case], int] = lambda case: 0,
) -> Result:
    """Run the cases of some plans on both sides and compare; of an entry only the first difference, if asked, those of
    a lower rank first."""
    batch = [
        (plan, case | {"target": target, "stops": stops})
        for plan in plans
        for case in sorted(call_cases(plan, settings.quick), key=ranked)
        for target in filter(settings.wants, _tried(plan, case))
    ]
    shares = _shares(batch, len(batch) if stops else OF_A_JOB)
    jobs = [_job([case for _, case in share], settings) for share in shares]
    done = Done()
    for each in run_jobs(jobs, settings):
        done.outcomes |= each.outcomes
        done.failed |= each.failed
        done.retried |= each.retried
    result = Result()
    for plan, case in batch:
        result.findings += _findings(plan, case, done)
    result.retried = [f"{case} {target or ''}".strip() for case, target in done.retried]
    return result


Batch = list[tuple[CallPlan, Case]]


def _shares(batch: Batch, most: int) -> Iterator[Batch]:
    """The cases of each job: of one entry only, so that nothing depends on which entries run together."""
    for _, pairs in groupby(batch, key=lambda pair: pair[0].name):
        of_entry = list(pairs)
        yield from (of_entry[start : start + most] for start in range(0, len(of_entry), most))


def _job(cases: list[Case], settings: Settings) -> Job:
    started = sum(case.get("ranks", 0) for case in cases)
    return Job(SIDE, 1, tuple(cases), adapter=settings.adapter, start=OF_A_START * started)


def _tried(plan: CallPlan, case: Case) -> list[str | None]:
    """Every target; and what the adapter chooses by itself, of which a few cases show that it works."""
    return [*plan.targets, *((None,) if case.get("quick") and None not in plan.targets else ())]


def _promised(plan: CallPlan, case: Case, kind: str) -> bool:
    """Whether a case has to run on a CPU: every case in which the adapter chooses the target; of a target that is
    documented for a CPU, the plain case, and every case that seemed to have no effect."""
    if case["target"] is None:
        return True
    return plan.targets[case["target"]].on_cpu and (kind == NO_EFFECT or bool(case.get("plain")))


def _findings(plan: CallPlan, case: Case, done: Done) -> list[Finding]:
    entry = plan.name
    key = (case["id"], case["target"])
    if key not in done.outcomes:
        return [Finding(entry, case, 1, case["target"], DIFFERENT, 0, done.failed.get(key, "did not run"))]
    (said,) = done.outcomes[key]
    kind: Any = said["kind"]
    if kind == SKIPPED:
        return []
    if kind in (NO_KERNEL, NO_EFFECT) and _promised(plan, case, kind):
        kind = DIFFERENT
    case = case | {"measured": said.get("measured", [])}
    found = [Finding(entry, case, 1, case["target"], kind, 0, said["detail"])]
    if "undeclared" in said:
        direct = case | {"id": f"{case['id']}/direct", "kind": "direct"}
        found.append(Finding(entry, direct, 1, case["target"], DIFFERENT, 0, said["undeclared"]))
    return found
