"""The vocabulary holds what entries say, and no more: a word that none uses has no evidence."""

from __future__ import annotations

import re
from pathlib import Path

from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

MAPPINGS = Path(__file__).resolve().parents[2] / "mappings"
SAID = {word for file in MAPPINGS.rglob("*.yaml") for word in re.findall(r"\w+", file.read_text("utf-8"))}


def test_every_word_is_used() -> None:
    assert [word for word in (*WORDS, *PREDICATES, *POLICIES) if word not in SAID] == []
