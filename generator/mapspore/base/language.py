"""The two languages that people read, and which of them the environment asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def from_environment(environment: Mapping[str, str]) -> Language:
    """Chinese if the locale for messages is Chinese, otherwise English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
