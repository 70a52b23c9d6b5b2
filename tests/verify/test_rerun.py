"""Evidence cannot be typed: the quick cases of a sample run again, and their counts are those that are committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sample import ONE_OF, sample

from mapspore.cases.collective.entry_cases import collective_cases
from mapspore.cases.collective.plan import CollectivePlan, collective_plan
from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import CallPlan, call_plan
from mapspore.evidence.files import place
from mapspore.pipeline import load_registry
from mapspore.resolve.evidence_status import ADAPTER
from mapspore.verify.collective.run import run
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.result import Result
from mapspore.verify.single.run import run as run_calls
from mapspore.verify.write_evidence import NEEDED

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
MAPPINGS = load_registry(ROOT).registry.mappings
PLANS = [collective_plan(mapping) for mapping in MAPPINGS if mapping.needs_ranks]
NAMES = [each.name for each in PLANS]
EVERY = [call_plan(mapping) for mapping in MAPPINGS if not mapping.needs_ranks]
ALONE = sample(EVERY)
WITHOUT_ERRORS = ("constant", "answer", "unneeded")
"""Sorts of entries that nothing is handed to, or that do nothing with it: there is no wrong call of them."""


def judged(counts: dict[str, int]) -> dict[str, int]:
    """Counts that are the same on every machine: which values are equal and which are but for rounding depends on the
    instructions that its processor has."""
    both = counts.get("equal", 0) + counts.get("within_ulp", 0)
    return {kind: count for kind, count in counts.items() if kind not in ("equal", "within_ulp")} | {"agree": both}


@pytest.fixture(scope="module")
def result() -> Result:
    with Servers() as servers:
        return run(PLANS, PLANS, NEEDED, Settings(servers, quick=True, adapter=ROOT / "adapter"))


@pytest.fixture(scope="module")
def alone() -> Result:
    with Servers() as servers:
        return run_calls(ALONE, Settings(servers, quick=True, adapter=ROOT / "adapter"))


@pytest.mark.parametrize("each", ALONE, ids=lambda each: each.name)
def test_the_counts_in_one_process_are_those_of_the_evidence(each: CallPlan, alone: Result) -> None:
    committed = json.loads((ROOT / "evidence" / place(each.name)).read_text("utf-8"))["targets"]
    different = [f for f in alone.different if f.entry == each.name]
    assert not different, "\n".join(f"{f.case['id']} {f.target}: {f.detail}" for f in different)
    for target in each.targets:
        assert judged(alone.counts(each.name, target)) == judged(committed[target or ADAPTER]["quick"]["cases"])


def test_the_sample_has_some_of_every_sort_and_module() -> None:
    strata = {(each.sort, each.name.rpartition(".")[0]) for each in EVERY}
    assert {(each.sort, each.name.rpartition(".")[0]) for each in ALONE} == strata
    assert len(EVERY) / ONE_OF <= len(ALONE) < len(EVERY) / ONE_OF + len(strata)
    assert sample(EVERY[::-1]) == ALONE, "whatever the order of files"


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.name)
def test_the_quick_cases_in_one_process_are_of_every_kind(each: CallPlan) -> None:
    every, quick = ({case["kind"] for case in call_cases(each, few)} for few in (False, True))
    assert every == quick
    if each.sort != "program":  # written by hand, also of names that refuse nothing
        assert ("error" in quick) == (each.sort not in WITHOUT_ERRORS)


@pytest.mark.parametrize("each", PLANS, ids=NAMES)
def test_the_counts_are_those_of_the_evidence(each: CollectivePlan, result: Result) -> None:
    committed = json.loads((ROOT / "evidence" / place(each.name)).read_text("utf-8"))["targets"]
    different = [f for f in result.different if f.entry == each.name]
    assert not different, "\n".join(f"{f.case['id']} {f.target} on rank {f.rank}: {f.detail}" for f in different)
    for target in each.targets:
        quick = committed[target or ADAPTER]["quick"]
        assert quick["ranks"] == list(NEEDED)
        assert judged(result.counts(each.name, target)) == judged(quick["cases"])


def test_a_refusal_says_what_to_do(result: Result) -> None:
    sentences = {finding.detail for finding in result.findings if finding.kind in ("same_error", "refused")}
    assert all("\n" not in sentence and len(sentence) > 20 for sentence in sentences), sentences


@pytest.mark.parametrize("each", [each for each in PLANS if each.kind in ("collective", "peer")], ids=lambda p: p.name)
@pytest.mark.parametrize("size", NEEDED)
def test_the_quick_cases_are_of_every_kind(each: CollectivePlan, size: int) -> None:
    assert {"value", "error", "group"} <= {
        case["kind"] for case in collective_cases(each, size, PLANS) if case.get("quick")
    }
