"""JSON for people's eyes as well: text from outside stands in it without a character that a terminal would obey."""

from __future__ import annotations

import json
import re
from typing import Any
from unicodedata import category

_UNSEEN = re.compile(r"[^\n -~]")


def json_text(data: Any, indent: int | None = None) -> str:
    """JSON with every letter as it is, and what cannot be printed as `\\uXXXX`."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return text if text.isascii() and "\x7f" not in text else _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    seen = character.isprintable() or category(character) == "Zs"
    return character if seen else json.dumps(character)[1:-1].replace("\x7f", "\\u007f")
