"""The verification of collectives. In: plans, numbers of ranks, targets. Out: a `Result` with one finding per case and
target. Cases of many entries share a job; all targets run in one job of the adapter.
"""

from __future__ import annotations

from collections.abc import Sequence

from mapspore.cases.collective.case_builder import Case, groups_of
from mapspore.cases.collective.entry_cases import collective_cases
from mapspore.cases.collective.plan import CollectivePlan
from mapspore.verify.collective.compare import compare
from mapspore.verify.compare import DIFFERENT, OUTCOMES
from mapspore.verify.outcome import Outcome
from mapspore.verify.processes.jobs import Done, Job, Key, Settings, run_jobs
from mapspore.verify.result import Finding, Result

OF_A_JOB = 400  # cases; more of them would make one crash cost more


def run(
    plans: Sequence[CollectivePlan],
    every: Sequence[CollectivePlan],
    sizes: Sequence[int],
    settings: Settings,
) -> Result:
    """Run the cases of some plans, out of every plan that there is, on both sides and compare."""
    batches = [batch for size in sorted(sizes, reverse=True) for batch in _batches(plans, every, size, settings.quick)]
    done = run_jobs([job for size, batch in batches for job in _jobs(batch, size, settings)], settings)
    result = Result()
    for (size, batch), reference, adapted in zip(batches, done[::2], done[1::2], strict=True):
        result.findings += compared(batch, size, reference, adapted, settings)
        for side, ran in (("torch", reference), ("adapter", adapted)):
            result.retried += [f"{side} at {size} ranks: {case} {target or ''}".strip() for case, target in ran.retried]
    return result


def prepared(
    plans: Sequence[CollectivePlan],
    every: Sequence[CollectivePlan],
    size: int,
    settings: Settings,
) -> tuple[list[tuple[CollectivePlan, Case]], Job, Job]:
    """The cases of some plans at one number of ranks, in one job for each side."""
    batch = _all_cases(plans, every, size, settings.quick)
    return batch, *_jobs(batch, size, settings)


def compared(
    batch: Sequence[tuple[CollectivePlan, Case]], size: int, reference: Done, adapted: Done, settings: Settings
) -> list[Finding]:
    """What the outcomes of both sides say about each case and target."""
    return [
        _finding(plan.name, case, size, target, reference, adapted)
        for plan, case in batch
        for target in filter(settings.wants, plan.targets)
    ]


def _jobs(batch: Sequence[tuple[CollectivePlan, Case]], size: int, settings: Settings) -> tuple[Job, Job]:
    groups = groups_of(size)
    adapted = [case | {"target": target} for plan, case in batch for target in filter(settings.wants, plan.targets)]
    adapted.sort(key=lambda case: str(case["target"]))
    reference = Job("torch", size, tuple(case for _, case in batch if not case.get("lacking")), groups)
    return reference, Job("adapter", size, tuple(adapted), groups, settings.adapter)


def _batches(
    plans: Sequence[CollectivePlan], every: Sequence[CollectivePlan], size: int, quick: bool
) -> list[tuple[int, list[tuple[CollectivePlan, Case]]]]:
    """Cases in groups of a size that a job takes well."""
    everything = _all_cases(plans, every, size, quick)
    lasting = [each for each in everything if not each[1].get("ends")]
    count = max(1, -(-len(lasting) // OF_A_JOB))
    share = max(1, -(-len(lasting) // count))
    batches = [(size, lasting[start : start + share]) for start in range(0, len(lasting), share)]
    return [*batches, *((size, [each]) for each in everything if each[1].get("ends"))]


def _all_cases(
    plans: Sequence[CollectivePlan], every: Sequence[CollectivePlan], size: int, quick: bool
) -> list[tuple[CollectivePlan, Case]]:
    """The cases of all plans. What takes no arguments comes first: it may tell what a job has made so far, and that
    differs between two jobs if one of them had to start again."""
    return [
        (plan, case)
        for plan in sorted(plans, key=lambda plan: bool(plan.parameters))
        for case in collective_cases(plan, size, every)
        if not quick or case.get("quick")
    ]


def _finding(entry: str, case: Case, size: int, target: str | None, reference: Done, adapted: Done) -> Finding:
    keys = ((case["id"], None), (case["id"], target))
    wanted, got = reference.outcomes.get(keys[0]), adapted.outcomes.get(keys[1])
    case = case | {"target": target}
    if wanted is None and not case.get("lacking"):
        return Finding(entry, case, size, target, DIFFERENT, 0, f"torch: {_why(reference, keys[0])}")
    if got is None:
        return Finding(entry, case, size, target, DIFFERENT, 0, f"adapter: {_why(adapted, keys[1])}")
    verdicts = [
        compare(case, rank, Outcome.of(wanted[rank]) if wanted else None, Outcome.of(got[rank]))
        for rank in range(size)
    ]  # fmt: skip
    worst = max(range(size), key=lambda rank: OUTCOMES.index(verdicts[rank].kind))
    return Finding(entry, case, size, target, verdicts[worst].kind, worst, verdicts[worst].detail)


def _why(done: Done, key: Key) -> str:
    """Why a case has no outcome."""
    return done.failed.get(key, "did not run")
