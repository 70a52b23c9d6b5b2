"""M2xx: the texts of an entry, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mapspore.diagnostics import Place
from mapspore.load import Block, Items
from mapspore.resolve import Mapping, Registry
from mapspore.rules.base import Found, Rule, problem

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_HALF_WIDTH = re.compile(r"[\u3400-\u9fff][ ]*([,.;:!?()])[ ]*(?:[\u3400-\u9fff]|\Z)")
_CODE = re.compile(r"`[^`]*`")
LONGEST = 400


def texts(mapping: Mapping) -> Iterator[tuple[str, str, Place]]:
    """Every text of the entry: its language, itself, its place."""
    source = mapping.source
    waiting: list[Any] = [source.data]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Block):
            for language in ("en", "zh"):
                text = node.get(language)
                if isinstance(text, str):
                    yield language, text, Place(source.path, *node.values_at[language])
            waiting.extend(node.values())
        elif isinstance(node, Items):
            waiting.extend(node)


def check_language(mapping: Mapping, registry: Registry) -> Found:
    for language, text, place in texts(mapping):
        if text.strip() and (_CHINESE.search(text) is not None) != (language == "zh"):
            yield problem("M202", place, language)


def check_punctuation(mapping: Mapping, registry: Registry) -> Found:
    for language, text, place in texts(mapping):
        if language == "zh":
            found = _HALF_WIDTH.search(_CODE.sub("", text))
            if found is not None:
                yield problem(
                    "M203", place, sign=found[1], full="，。；：！？（）"[",.;:!?()".index(found[1])]
                )


def check_empty(mapping: Mapping, registry: Registry) -> Found:
    for _, text, place in texts(mapping):
        if not text.strip():
            yield problem("M204", place)


def check_line(mapping: Mapping, registry: Registry) -> Found:
    for _, text, place in texts(mapping):
        if "\n" in text or len(text) > LONGEST:
            yield problem("M205", place, limit=str(LONGEST))


def check_backticks(mapping: Mapping, registry: Registry) -> Found:
    for _, text, place in texts(mapping):
        if text.count("`") % 2:
            yield problem("M206", place)


RULES = (
    Rule("M202", "entry", check_language, allowable=True),
    Rule("M203", "entry", check_punctuation, allowable=True),
    Rule("M204", "entry", check_empty),
    Rule("M205", "entry", check_line),
    Rule("M206", "entry", check_backticks),
)
