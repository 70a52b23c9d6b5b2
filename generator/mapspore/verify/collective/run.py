"""The whole of a verification. In: plans, numbers of ranks, targets. Out: a `Result` with one finding per case, target
and rank. Cases of many entries share a job; both targets run in one job of the adapter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mapspore.cases.collective.case_builder import Case, groups_of
from mapspore.cases.collective.entry_cases import collective_cases
from mapspore.cases.collective.plan import CollectivePlan
from mapspore.verify.processes.jobs import Done, Job, Servers, run_jobs

OF_A_JOB = 400  # cases; more of them would make one crash cost more


@dataclass(frozen=True, slots=True)
class Finding:
    """What the comparison of one case with one target found, over all of its ranks."""

    entry: str
    case: Case
    size: int
    target: str | None
    kind: str
    rank: int = 0
    detail: str = ""
    expected: tuple[dict[str, Any], ...] = ()
    """By rank, what tensors must hold, where the contract judged alone and something differs."""

    @property
    def weight(self) -> tuple[Any, ...]:
        """How much there is to look at: the smallest failing case is the one to show."""
        text = str(self.case["calls"])
        plain = "float32" not in text and "dtype" in text
        return (self.size, self.case["kind"] == "error", plain, text.count("$tensor"), len(text), self.case["id"])


@dataclass
class Result:
    """All findings of a run."""

    findings: list[Finding] = field(default_factory=list)
    retried: list[str] = field(default_factory=list)
    """Cases that crashed or hung among others and not alone, with their side."""

    def __add__(self, other: Result) -> Result:
        return Result(self.findings + other.findings, self.retried + other.retried)

    def counts(
        self, entry: str, target: str | None, quick: bool = False, sizes: Sequence[int] | None = None
    ) -> dict[str, int]:
        """How many cases had which outcome: all, or the quick ones, at some numbers of ranks."""
        chosen = [f for f in self.findings if f.entry == entry and f.target == target]
        chosen = [f for f in chosen if (not quick or f.case.get("quick")) and (sizes is None or f.size in sizes)]
        return dict(sorted(Counter(f.kind for f in chosen).items()))

    @property
    def different(self) -> list[Finding]:
        return sorted((f for f in self.findings if f.kind == "different"), key=lambda finding: finding.weight)


def run(
    plans: Sequence[CollectivePlan],
    every: Sequence[CollectivePlan],
    sizes: Sequence[int],
    targets: Sequence[str],
    servers: Servers,
    at_once: int = 2,
    quick: bool = False,
    adapter: Path | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Result:
    """Run the cases of some plans, out of every plan that there is, on both sides and compare."""
    batches = [batch for size in sorted(sizes, reverse=True) for batch in _batches(plans, every, size, quick)]
    jobs = [job for size, batch in batches for job in _jobs(batch, size, targets, adapter)]
    total = sum(len(job.cases) for job in jobs)
    done = run_jobs(jobs, servers, at_once, lambda count: report(count, total))
    result = Result()
    for (size, batch), reference, adapted in zip(batches, done[::2], done[1::2], strict=True):
        result.findings += compared(batch, size, targets, reference, adapted)
        for side, ran in (("torch", reference), ("adapter", adapted)):
            result.retried += [f"{side} at {size} ranks: {case} {target or ''}".strip() for case, target in ran.retried]
    return result


def prepared(
    plans: Sequence[CollectivePlan],
    every: Sequence[CollectivePlan],
    size: int,
    quick: bool = False,
    adapter: Path | None = None,
) -> tuple[list[tuple[CollectivePlan, Case]], Job, Job]:
    """The cases of some plans at one number of ranks, in one job for each side."""
    batch = _all_cases(plans, every, size, quick)
    return batch, *_jobs(batch, size, (), adapter)


def compared(
    batch: Sequence[tuple[CollectivePlan, Case]], size: int, targets: Sequence[str], reference: Done, adapted: Done
) -> list[Finding]:
    """What the outcomes of both sides say about each case and target."""
    return [
        _finding(plan.name, case, size, target, reference, adapted)
        for plan, case in batch
        for target in plan.targets
        if _wanted(target, targets)
    ]


def _jobs(
    batch: Sequence[tuple[CollectivePlan, Case]], size: int, targets: Sequence[str], adapter: Path | None
) -> tuple[Job, Job]:
    groups = groups_of(size)
    adapted = [case | {"target": target} for plan, case in batch for target in plan.targets if _wanted(target, targets)]
    adapted.sort(key=lambda case: str(case["target"]))
    reference = Job("torch", size, tuple(case for _, case in batch), groups)
    return reference, Job("adapter", size, tuple(adapted), groups, adapter)


def _wanted(target: str | None, targets: Sequence[str]) -> bool:
    return target is None or not targets or target in targets


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
    from mapspore.verify.collective.compare import DIFFERENT, OUTCOMES, compare, expected_by_contract

    wanted, got = reference.outcomes.get((case["id"], None)), adapted.outcomes.get((case["id"], target))
    for outcomes, failed, side in (
        (wanted, reference.failed.get((case["id"], None)), "torch"),
        (got, adapted.failed.get((case["id"], target)), "adapter"),
    ):
        if outcomes is None:
            return Finding(entry, case, size, target, DIFFERENT, 0, f"{side}: {failed or 'did not run'}")
    assert wanted is not None and got is not None
    verdicts = [compare(case, rank, wanted, got[rank]) for rank in range(size)]
    worst = max(range(size), key=lambda rank: _severity(verdicts[rank].kind, OUTCOMES))
    kind = verdicts[worst].kind
    alone = expected_by_contract(case, wanted) if kind == DIFFERENT and case.get("lacking") and "oracle" in case else ()
    return Finding(entry, case, size, target, kind, worst, verdicts[worst].detail, alone)


def _severity(kind: str, order: Sequence[str]) -> int:
    return order.index(kind)
