"""Hand-written pages have the same parts in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = sorted(path.name for path in (ROOT / "site" / "en" / "guides").glob("*.md"))


def _guide(language: str, name: str) -> str:
    return (ROOT / "site" / language / "guides" / name).read_text("utf-8")


@pytest.mark.parametrize("name", GUIDES)
def test_guides_have_the_same_parts_in_both_languages(name: str) -> None:
    parts = [re.findall(r"^#.*?(\{.*\})?$", _guide(language, name), re.MULTILINE) for language in ("en", "zh")]
    items = [len(re.findall(r"^(?:- |\d+\. )", _guide(language, name), re.MULTILINE)) for language in ("en", "zh")]
    assert parts[0] == parts[1] and items[0] == items[1]
