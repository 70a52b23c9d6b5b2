"""The hand-checked sample: a hundred findings in real code, drawn by `draw_sample.py`, each with a verdict by a reader.

`right`: the place, the API and the difference are right. `idle`: the API and the sentence are right, but this call
does not meet the difference, which its text does not tell. `wrong`: there is no such use of torch.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from mapspore.scan.codes import CODES

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]


def rows() -> list[dict[str, str]]:
    with (HERE / "sample.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_hundred_rows_have_a_verdict() -> None:
    listed = rows()
    assert len(listed) == 100 == len({(row["package"], row["place"], row["code"], row["parameter"]) for row in listed})
    assert {row["verdict"] for row in listed} <= {"right", "idle", "wrong"}
    assert all(row["code"] in CODES and (row["note"] or row["verdict"] == "right") for row in listed)


def test_the_readmes_give_the_same_figures() -> None:
    counted = Counter(row["verdict"] for row in rows())
    english, chinese = ((HOME / name).read_text("utf-8") for name in ("README.md", "README.zh.md"))
    assert f"{counted['wrong']} were wrong and {counted['idle']} were idle" in english
    assert f"{counted['wrong']} 条错误，{counted['idle']} 条未触发" in chinese
