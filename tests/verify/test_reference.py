"""What an entry says that gloo lacks, gloo lacks, and in that way: each line of `reference_lacks` is shown by a run in
which torch refuses or crashes, or silently does not do what the contract says. Without that, it could hide a
difference. What torch answers for another group depends on the groups that were made before, and is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mapspore.cases.collective.case_builder import Case
from mapspore.cases.collective.plan import collective_plan
from mapspore.pipeline import load_registry
from mapspore.verify.collective.compare import against_contract
from mapspore.verify.collective.run import prepared
from mapspore.verify.outcome import Outcome
from mapspore.verify.processes import jobs

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
MAPPINGS = [mapping for mapping in load_registry(ROOT).registry.mappings if mapping.needs_ranks]
EVERY = [collective_plan(mapping) for mapping in MAPPINGS]
SIZE = 2
STATED = {
    (mapping.name, trait): how
    for mapping in MAPPINGS
    for how in ("refuses", "corrupts")
    for trait in getattr(mapping.entry.verify.reference_lacks, how)
}


def test_gloo_lacks_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "TIMEOUT", 5.0)
    with jobs.Servers() as servers:
        batch, reference, _ = prepared(EVERY, EVERY, SIZE, jobs.Settings(servers))
        excepted: dict[tuple[str, str], list[Case]] = {}
        for plan, case in batch:
            if "oracle" in case and (key := (plan.name, case.get("lacking", ""))) in STATED:
                excepted.setdefault(key, []).append(case)
        assert set(STATED) == set(excepted), "an exception that no case meets"
        tried = tuple(case for cases in excepted.values() for case in cases)
        done = jobs.run_job(replace(reference, cases=tried, restarts=40), servers, tmp_path)
    shown = {key: {_shown(case, done) for case in cases} for key, cases in excepted.items()}
    assert not {key: found for key, found in shown.items() if STATED[key] not in found}


def _shown(case: Case, done: jobs.Done) -> str:
    """What gloo makes of a case that it is said not to judge."""
    outcomes = [Outcome.of(each) for each in done.outcomes.get((case["id"], None), ())]
    if not outcomes or any(each.error for each in outcomes):
        return "refuses"
    return "corrupts" if any(against_contract(case, rank, each) for rank, each in enumerate(outcomes)) else "does it"
