"""M2xx: the texts of an entry, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mapspore.diagnostics import Place
from mapspore.load import Block, Items, Source
from mapspore.resolve import Mapping, Registry
from mapspore.rules.base import Found, Rule, problem

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_HALF_WIDTH = re.compile(r"[\u3400-\u9fff][ ]*([,.;:!?()])(?=[ ]*(?:[\u3400-\u9fff]|\Z))")
_CODE = re.compile(r"`[^`]*`")
LONGEST = 400


def texts(source: Source) -> Iterator[tuple[str, str, Block]]:
    """Every text of the entry: its language, itself, the block that holds it."""
    waiting: list[Any] = [source.data]
    while waiting:
        node = waiting.pop()
        if type(node) is Block:
            for language in ("en", "zh"):
                text = node.get(language)
                if isinstance(text, str):
                    yield language, text, node
            waiting += [value for value in node.values() if type(value) in (Block, Items)]
        elif type(node) is Items:
            waiting += node


def check_texts(mapping: Mapping, registry: Registry) -> Found:
    """All codes of this module in one walk, for it visits every node of every entry."""
    for language, text, block in texts(mapping.source):
        for code, variant, values in wrong_with(language, text):
            place = Place(mapping.source.path, *block.values_at[language])
            yield problem(code, place, variant, **values)
        if language == "zh":
            yield from half_width(mapping.source, block, text)


def wrong_with(language: str, text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """What is wrong with one text as a whole: a code, its variant, and what fills the sentence."""
    if not text.strip():
        yield "M204", "", {}
    elif (not text.isascii() and _CHINESE.search(text) is not None) != (language == "zh"):
        yield "M202", language, {}
    if "\n" in text or len(text) > LONGEST:
        yield "M205", "", {"limit": str(LONGEST)}
    if text.count("`") % 2:
        yield "M206", "", {}


def half_width(source: Source, block: Block, text: str) -> Found:
    """Each half-width sign among Chinese characters; what stands in code does not count."""
    prose = _CODE.sub("", text) if "`" in text else text
    for found in _HALF_WIDTH.finditer(prose):
        sign, at = found[1], found.start(1)
        for code in _CODE.finditer(text):
            at += len(code[0]) if code.start() <= at else 0
        place = Place(source.path, *block.values_at["zh"])
        # Only where the file spells the text as it is can a single character be pointed at.
        shift = source.written(place).find(text)
        spot = Place(place.path, place.line, place.column + shift + at) if shift >= 0 else place
        yield problem("M203", spot, sign=sign, full="，。；：！？（）"[",.;:!?()".index(sign)])


RULES = (
    Rule("M202", "entry", check_texts, allowable=True, of_parts=True),
    Rule("M203", "entry", allowable=True),
    Rule("M204", "entry"),
    Rule("M205", "entry"),
    Rule("M206", "entry"),
)
