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
_CODE = re.compile(r"`[^`]*`")
_MASK = "\ue000"
"""Stands for code, character by character, which is no Chinese and has no punctuation."""
_LATIN = rf"[A-Za-z0-9_%)\]\"'{_MASK}]"
_SUSPECT = re.compile(r"[,;:!?()]|\.(?![A-Za-z0-9.])")
_HALF_WIDTH = re.compile(
    r"(?<=[\u3400-\u9fff])[ ]*([,;:!?])(?!//)"
    r"|(?<=[\u3400-\u9fff])[ ]*([.()])(?=[ ]*(?:[\u3400-\u9fff]|\Z))"
    rf"|(?<={_LATIN})[ ]*([,;:!?])(?=[ ]*(?:[\u3400-\u9fff]|\Z))"
    rf"|(?<={_LATIN})(?<!etc)(?<!vs)(?<!e\.g)(?<!i\.e)(\.)(?=[ ]*(?:[\u3400-\u9fff]|\Z))"
)
_BRACKETS = re.compile(r"\([^()]*[\u3400-\u9fff][^()]*\)|(?<=[\u3400-\u9fff])\([A-Za-z][A-Za-z ]*\)")
"""Brackets around Chinese, or around a term right after Chinese; `f(x)` and a shape such as `(N, C)` are neither."""
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
    """Each half-width sign in a Chinese sentence; what stands in code does not count."""
    for at in half_width_signs(text):
        place = Place(source.path, *block.values_at["zh"])
        # Only where the file spells the text as it is can a single character be pointed at.
        shift = source.written(place).find(text)
        spot = Place(place.path, place.line, place.column + shift + at) if shift >= 0 else place
        yield problem("M203", spot, sign=text[at], full="，。；：！？（）"[",.;:!?()".index(text[at])])


def half_width_signs(text: str) -> list[int]:
    """Where half-width punctuation stands in a Chinese text: beside a Chinese character, or between one and a word."""
    prose = _CODE.sub(lambda code: _MASK * len(code[0]), text) if "`" in text else text
    if _SUSPECT.search(prose) is None or _CHINESE.search(prose) is None:
        return []
    found = {match.start(match.lastindex or 0) for match in _HALF_WIDTH.finditer(prose)}
    for pair in _BRACKETS.finditer(prose):
        found |= {pair.start(), pair.end() - 1}
    return sorted(found)


RULES = (
    Rule("M202", "entry", check_texts, allowable=True, of_parts=True),
    Rule("M203", "entry", allowable=True),
    Rule("M204", "entry"),
    Rule("M205", "entry"),
    Rule("M206", "entry"),
)
