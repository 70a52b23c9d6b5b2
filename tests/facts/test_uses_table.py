"""The table of what real code uses: ordered, each name once, with totals that hold; anything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.base.diagnostics import Refusal
from mapspore.facts.uses import Use, Uses, load_uses, parse_uses

HOME = Path(__file__).resolve().parents[2]
TABLE = "name\tuses\tpackages\nall 3\t10\t2\ntorch.add\t6\t2\ntorch.mul\t3\t1\n"


def test_names_and_totals_are_read() -> None:
    assert parse_uses(TABLE) == Uses((Use("torch.add", 6, 2), Use("torch.mul", 3, 1)), 3, 10, 2)


def test_the_table_is_ordered_and_its_totals_hold() -> None:
    uses = load_uses(HOME)
    assert list(uses.listed) == sorted(uses.listed, key=lambda use: (-use.count, use.name))
    assert len({use.name for use in uses.listed}) == len(uses.listed) <= uses.names
    listed = sum(use.count for use in uses.listed)
    rest = uses.names - len(uses.listed)
    assert rest <= uses.total - listed <= 2 * rest
    assert all(use.count >= 3 and 1 <= use.packages <= uses.packages for use in uses.listed)


def test_a_registry_may_bring_its_own_table(tmp_path: Path) -> None:
    assert load_uses(tmp_path) == load_uses(HOME)
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "uses.tsv").write_text(TABLE, "utf-8")
    assert load_uses(tmp_path).total == 10


@pytest.mark.parametrize("text", ["", "name\n", "name\nall x\t1\t1\n", TABLE + "torch.sub\t1\n", TABLE + "\n"])
def test_what_is_no_table_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "uses.tsv").write_text(text, "utf-8")
    with pytest.raises(Refusal) as refused:
        load_uses(tmp_path)
    assert refused.value.code == "C303"
