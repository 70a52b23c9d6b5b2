"""The adapters against torch on gloo, case by case, in real processes, with both targets."""

from __future__ import annotations

from collections import Counter

import pytest
from harness import Finding, run_both

from cases import PLANS, cases_of, groups_of

TARGETS = ("mint", "comm_func")


@pytest.fixture(scope="module", params=(2, 3), ids=lambda size: f"{size}-ranks")
def findings(request, tmp_path_factory) -> list[Finding]:
    size = request.param
    cases = [case for api in PLANS for case in cases_of(api, size, thorough=size == 2)]
    return run_both(cases, size, groups_of(size), TARGETS, tmp_path_factory.mktemp(f"ranks{size}"))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("api", PLANS)
def test_adapter_does_what_torch_does(findings: list[Finding], api: str, target: str) -> None:
    mine = [finding for finding in findings if finding.target == target and finding.case.split("/")[0] == api]
    different = [finding for finding in mine if finding.kind == "different"]
    assert not different, "\n".join(f"{f.case} on rank {f.rank}: {f.detail}" for f in different)
    kinds = Counter(finding.kind for finding in mine)
    assert kinds["equal"] > 60 and kinds["same error"] > 15, kinds


def test_a_refusal_says_what_to_do(findings: list[Finding]) -> None:
    sentences = {finding.detail for finding in findings if finding.kind == "same error"}
    assert all("\n" not in sentence and len(sentence) > 20 for sentence in sentences), sentences
