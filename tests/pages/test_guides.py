"""Hand-written pages and changelogs have the same parts in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mapspore.cli import COMMANDS
from mapspore.site.changes import points

ROOT = Path(__file__).parents[2]
GUIDES = sorted(path.name for path in (ROOT / "site" / "en" / "guides").glob("*.md"))


def _guide(language: str, name: str) -> str:
    return (ROOT / "site" / language / "guides" / name).read_text("utf-8")


@pytest.mark.parametrize("name", GUIDES)
def test_guides_have_the_same_parts_in_both_languages(name: str) -> None:
    parts = [re.findall(r"^#.*?(\{.*\})?$", _guide(language, name), re.MULTILINE) for language in ("en", "zh")]
    items = [len(re.findall(r"^(?:- |\d+\. )", _guide(language, name), re.MULTILINE)) for language in ("en", "zh")]
    assert parts[0] == parts[1] and items[0] == items[1]


def test_changelogs_tell_the_same_points_and_every_command() -> None:
    texts = [(ROOT / name).read_text("utf-8") for name in ("CHANGELOG.md", "CHANGELOG.zh.md")]
    english, chinese = map(points, texts)
    assert len(english) == len(chinese) > 5
    for point in chinese:
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]", point), point
    for text in texts:
        assert [command.name for command in COMMANDS if f"`{command.name}`" not in text] == []
        assert re.findall(r"format (\d)|格式 (\d)", text)
