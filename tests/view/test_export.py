"""The exported registry: every key is described in the guides, and other forms say the same."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mapspore.cli.main import main
from mapspore.words.kinds import Kind

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
    assert data.pop("format") == 2
    assert list(data.pop("kinds")) == [kind.value for kind in Kind]
    for language in ("en", "zh"):
        text = (ROOT / "site" / language / "guides" / "json-format.md").read_text("utf-8")
        described = {name for code in re.findall(r"`([^`]+)`", text) for name in re.findall(r"\w+", code)}
        assert set(keys(data)) <= described


def test_csv_has_a_row_per_target(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(exported("json", capsys))
    rows = list(csv.DictReader(io.StringIO(exported("csv", capsys))))
    expected = [
        (entry["torch"], target["mindspore"], target["verdict"])
        for entry in data["entries"]
        for target in entry["targets"] or [{"mindspore": "", "verdict": entry["verdict"]}]
    ]
    assert [(row["torch"], row["mindspore"], row["verdict"]) for row in rows] == expected


def test_pages_come_in_the_layout_of_the_official_documentation(tmp_path: Path) -> None:
    assert main(["export", "pages", "--root", str(ROOT), "--output", str(tmp_path)]) == 0
    for folder in ("source_zh_cn", "source_en"):
        place = tmp_path / "docs/mindspore" / folder / "note/api_mapping/pytorch_diff"
        entries = [path.relative_to(ROOT / "mappings/torch") for path in (ROOT / "mappings/torch").rglob("*.yaml")]
        expected = {".".join(path.with_suffix(".md").parts) for path in entries}
        assert {page.name for page in place.glob("*.md")} == expected and "distributed.all_gather.md" in expected
        for page in place.glob("*.md"):
            for target in re.findall(r"\]\((?!https?:|#)([^)]+)\)", page.read_text("utf-8")):
                assert (place / target).is_file(), f"{page.name} links to {target}"
        for entry in place.glob("*.yaml"):
            assert entry.read_text("utf-8").startswith("torch: "), "no schema lies beside it"
