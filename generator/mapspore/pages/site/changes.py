"""The latest changes, as the changelog tells them. In: a folder and a language. Out: the newest section's points."""

from __future__ import annotations

import re
from pathlib import Path

from mapspore.text.markup import HTML
from mapspore.text.phrases import Language

FILES: dict[Language, str] = {"en": "CHANGELOG.md", "zh": "CHANGELOG.zh.md"}
_SECTION = re.compile(r"^## ", re.MULTILINE)


def latest(root: Path, language: Language, most: int) -> list[str]:
    """The points of the newest version, in HTML; none where a registry has no changelog."""
    file = root / FILES[language]
    return [HTML.text(point) for point in points(file.read_text("utf-8"))[:most]] if file.is_file() else []


def points(changelog: str) -> list[str]:
    """The list items of the first section, each on one line."""
    sections = _SECTION.split(changelog)
    newest = sections[1] if len(sections) > 1 else ""
    joiner = "" if re.search(r"[\u4e00-\u9fff]", newest) else " "
    found: list[str] = []
    for line in newest.splitlines():
        if line.startswith("- "):
            found.append(line[2:])
        elif line.startswith("  ") and found:
            found[-1] += joiner + line.strip()
    return found
