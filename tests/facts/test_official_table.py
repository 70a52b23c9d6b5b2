"""The rows of the official tables: what they claim is read as it stands; anything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.base.diagnostics import Refusal
from mapspore.facts.official import Claim, load_claims, parse_claims

HOME = Path(__file__).resolve().parents[2]
HEADING = "table\ttorch\tmindspore\tzh\ten\n"
ROW = "2.4\ttorch.abs\tmindspore.ops.abs\tdiff_page\tconsistent\n"


def test_a_claim_counts_in_either_language() -> None:
    (claim,) = parse_claims(HEADING + ROW)
    assert claim == Claim("2.4", "torch.abs", "mindspore.ops.abs", "diff_page", "consistent") and claim.consistent
    (other,) = parse_claims(HEADING + ROW.replace("consistent", "renamed_params"))
    assert not other.consistent


def test_the_tables_have_each_row_once() -> None:
    claims = load_claims(HOME)
    assert len(set(claims)) == len(claims) > 1000
    assert {claim.table for claim in claims} == {"2.4", "2.6"}
    assert all(claim.torch.startswith("torch") and claim.mindspore.startswith("mindspore") for claim in claims)


def test_a_registry_may_bring_its_own_rows(tmp_path: Path) -> None:
    assert load_claims(tmp_path) == load_claims(HOME)
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "official.tsv").write_text(HEADING + ROW, "utf-8")
    assert len(load_claims(tmp_path)) == 1


@pytest.mark.parametrize("text", ["", "table\n", ROW, HEADING + "2.4\ttorch.abs\n", HEADING + ROW + "\n"])
def test_what_is_no_table_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "official.tsv").write_text(text, "utf-8")
    with pytest.raises(Refusal) as refused:
        load_claims(tmp_path)
    assert refused.value.code == "C303"
