"""The exported registry: every key is described in CONTRIBUTING.md, and other forms say the same."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mapspore.cli import main
from mapspore.kinds import Kind

ROOT = Path(__file__).parents[2]


def exported(what: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["export", what, "--root", str(ROOT)]) == 0
    return capsys.readouterr().out


def keys(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from keys(value)
    elif isinstance(node, list):
        for item in node:
            yield from keys(item)


def test_every_key_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(exported("json", capsys))
    assert data.pop("format") == 1
    assert list(data.pop("kinds")) == [kind.value for kind in Kind]
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split("## The JSON format", 1)[1].split("\n## ", 1)[0]
    described = {name for code in re.findall(r"`([^`]+)`", section) for name in re.findall(r"\w+", code)}
    assert set(keys(data)) <= described


def test_csv_has_a_row_per_target(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(exported("json", capsys))
    rows = list(csv.DictReader(io.StringIO(exported("csv", capsys))))
    expected = [(entry["torch"], t["mindspore"], t["verdict"]) for entry in data["entries"] for t in entry["targets"]]
    assert [(row["torch"], row["mindspore"], row["verdict"]) for row in rows] == expected


def test_pages_come_in_the_layout_of_the_official_documentation(tmp_path: Path) -> None:
    assert main(["export", "pages", "--root", str(ROOT), "--output", str(tmp_path)]) == 0
    for folder in ("source_zh_cn", "source_en"):
        place = tmp_path / "docs/mindspore" / folder / "note/api_mapping/pytorch_diff"
        assert sorted(page.name for page in place.glob("*.md")) == [
            f"distributed.{name}.md" for name in ("all_gather", "all_reduce", "all_to_all", "gather", "reduce_scatter")
        ]
        for page in place.glob("*.md"):
            for target in re.findall(r"\]\((?!https?:|#)([^)]+)\)", page.read_text("utf-8")):
                assert (place / target).is_file(), f"{page.name} links to {target}"
