"""What is said twice agrees: words that lead to pages, and the changelog in both languages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from mapspore.cli.main import COMMANDS
from mapspore.pages.site.changes import FILES, points
from mapspore.pages.site.files import WRITTEN, site_files
from mapspore.pages.site.programs_page import PROGRAMS
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import catalogue
from mapspore.view.prepare import registry_view

HOME = Path(__file__).resolve().parents[2]


def test_every_word_leads_to_one_page_that_is_there(real: Registry) -> None:
    made = site_files(registry_view(real), HOME, "en")
    pages = {path.removesuffix(".md") for path in (*(artifact.path for artifact in made), *WRITTEN, PROGRAMS)}
    assert catalogue("terms").keys() <= pages
    words = Counter(word for listed in catalogue("terms").values() for word in listed)
    assert [word for word, count in words.items() if count > 1] == []


def test_the_changelog_says_the_same_in_both_languages() -> None:
    english, chinese = ((HOME / name).read_text("utf-8") for name in FILES.values())
    assert len(points(english)) == len(points(chinese)) > 5
    for command in COMMANDS:
        assert f"`{command}`" in english and f"`{command}`" in chinese
    for point in points(chinese):  # lines are joined there without a space
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]", point), point
    assert re.findall(r"^## (\d.*)$", english, re.MULTILINE) == re.findall(r"^## (\d.*)$", chinese, re.MULTILINE)
