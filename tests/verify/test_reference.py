"""What verify says that gloo lacks, gloo lacks: each exception is shown by a run in which torch refuses, crashes or
does not do what the contract says. Without that, an exception could hide a difference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mapspore.cases.collective.case_builder import Case
from mapspore.cases.collective.oracle import GLOO_LACKS
from mapspore.cases.collective.plan import collective_plan
from mapspore.pipeline import load_registry
from mapspore.verify.collective.compare import against_contract
from mapspore.verify.collective.run import prepared
from mapspore.verify.outcome import Outcome
from mapspore.verify.processes import jobs

ROOT = Path(__file__).resolve().parents[2]
EVERY = [collective_plan(mapping) for mapping in load_registry(ROOT).registry.mappings]
SIZE = 2
OTHERS = {"outside", "equal", "non_member"}
"""What torch answers there depends on the groups that were made before, or on what it is; nothing is in a tensor."""


def _short(case: Case) -> str:
    return str(case["id"].partition("/")[0].rpartition(".")[2])


def test_gloo_lacks_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "TIMEOUT", 5.0)
    monkeypatch.setattr(jobs, "RESTARTS", 40)
    with jobs.Servers() as servers:
        _shown(tmp_path, servers)


def _shown(folder: Path, servers: jobs.Servers) -> None:
    batch, reference, _ = prepared(EVERY, EVERY, SIZE, jobs.Settings(servers, adapter=ROOT / "adapter"))
    said = {(name, what) for name, lacks in GLOO_LACKS.items() for what in lacks if what not in OTHERS}
    excepted: dict[tuple[str, str], list[Case]] = {}
    for _, case in batch:
        if "oracle" in case and (key := (_short(case), case.get("lacking", ""))) in said:
            excepted.setdefault(key, []).append({k: v for k, v in case.items() if k != "lacking"})
    assert said == set(excepted), "an exception that no case meets"
    tried = [case for cases in excepted.values() for case in cases]
    done = jobs.run_job(replace(reference, cases=tuple(tried)), servers, folder)

    def lacks(case: Case) -> bool:
        ranks = done.outcomes.get((case["id"], None))
        outcomes = [Outcome.of(each) for each in ranks or ()]
        return not outcomes or any(
            each.error or against_contract(case, rank, each) for rank, each in enumerate(outcomes)
        )

    assert not [key for key, cases in sorted(excepted.items()) if not any(lacks(case) for case in cases)]
