"""The verification of calls, in one process each. In: plans and targets. Out: a `Result` with one finding per case and
target. Cases are dealt out over jobs, so that all cores have work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mapspore.cases.single.case_builder import Case
from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import CallPlan
from mapspore.verify.compare import DIFFERENT, NO_EFFECT, NO_KERNEL, SKIPPED
from mapspore.verify.processes.jobs import Done, Job, Settings, run_jobs
from mapspore.verify.result import Finding, Result

SIDE = "alone"
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
    shares = _by_entry(batch, settings.at_once) if stops else _evenly(batch, settings.at_once)
    jobs = [Job(SIDE, 1, tuple(case for _, case in share), {}, settings.adapter) for share in shares]
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


def _evenly(batch: Batch, at_once: int) -> Iterator[Batch]:
    count = max(at_once, -(-len(batch) // OF_A_JOB))
    share = max(1, -(-len(batch) // count))
    return (batch[start : start + share] for start in range(0, len(batch), share))


def _by_entry(batch: Batch, at_once: int) -> Iterator[Batch]:
    """As many shares as there are processes, each with whole entries, so that each stops at its first difference."""
    names = list(dict.fromkeys(plan.name for plan, _ in batch))
    parts = (set(names[start::at_once]) for start in range(min(at_once, len(names))))
    return ([pair for pair in batch if pair[0].name in part] for part in parts)


def _tried(plan: CallPlan, case: Case) -> list[str | None]:
    """Every target; and what the adapter chooses by itself, of which a few cases show that it works."""
    return [*plan.targets, *((None,) if case.get("quick") and None not in plan.targets else ())]


def _promised(plan: CallPlan, case: Case, kind: str) -> bool:
    """Whether a case has to run on a CPU: what the adapter chooses by itself; and, of a target that is said to be
    there, the plain case, whatever else it lacks a kernel for."""
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
