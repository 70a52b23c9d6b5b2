"""M2xx: the texts of an entry, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mapspore.base.diagnostics import Place
from mapspore.check.rules.base import Problems, Rule, problem
from mapspore.entry.load import Block, Items, Source
from mapspore.resolve.registry import Mapping, Registry

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CODE = re.compile(r"`[^`]*`")
_MASK = "\ue000"
"""Stands for code, character by character, which is no Chinese and has no punctuation."""
_HAN = r"[\u3400-\u9fff]"
_LATIN = rf"[A-Za-z0-9_%)\]\"'{_MASK}]"
_SUSPECT = re.compile(r"[,;:!?()]|\.(?![a-z0-9.])")
_HALF_WIDTH = re.compile(
    rf"(?<={_HAN})[ ]*([,;:!?])(?!//)"
    rf"|(?<=[A-Za-z{_MASK}])([,;:!?])(?=[ ]+[A-Za-z{_MASK}])"
    rf"|(?<={_HAN})[ ]*(\.)(?=[ ]|{_HAN}|[A-Z{_MASK}]|\Z)"
    rf"|(?<={_LATIN})[ ]*([,;:!?])(?=[ ]*(?:{_HAN}|\Z))"
    rf"|(?<={_LATIN})(?<!etc)(?<!vs)(?<!e\.g)(?<!i\.e)(\.)(?=[ ]*(?:{_HAN}|\Z))"
)
_BRACKET = re.compile("[()（）]")
_TERM = re.compile(rf"[A-Za-z{_MASK}][A-Za-z0-9_ .{_MASK}-]+")
"""What brackets after Chinese explain; a shape such as `(N, C)` is none."""
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


def check_texts(mapping: Mapping, registry: Registry) -> Problems:
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


def half_width(source: Source, block: Block, text: str) -> Problems:
    """Each half-width sign in a Chinese sentence; what stands in code does not count."""
    for at in half_width_signs(text):
        place = Place(source.path, *block.values_at["zh"])
        # Only where the file spells the text as it is can a single character be pointed at.
        shift = source.written(place).find(text)
        spot = Place(place.path, place.line, place.column + shift + at) if shift >= 0 else place
        yield problem("M203", spot, sign=text[at], full="，。；：！？（）"[",.;:!?()".index(text[at])])


def half_width_signs(text: str) -> list[int]:
    """Where half-width punctuation stands in a Chinese text: beside a Chinese character, or between words."""
    prose = _CODE.sub(lambda code: _MASK * len(code[0]), text) if "`" in text else text
    if _SUSPECT.search(prose) is None or _CHINESE.search(prose) is None:
        return []
    pairs = list(_pairs(prose))
    within = {at for start, end in pairs if not _CHINESE.search(prose, start, end) for at in range(start + 1, end)}
    found = {match.start(match.lastindex or 0) for match in _HALF_WIDTH.finditer(prose)} - within
    for start, end in pairs:
        if _is_prose(prose, start, end):
            found |= {at for at in (start, end) if prose[at] in "()"}
    return sorted(found)


def _pairs(prose: str) -> Iterator[tuple[int, int]]:
    """Where brackets open and close, of either width."""
    opened: list[int] = []
    for bracket in _BRACKET.finditer(prose):
        if bracket[0] in "(（":
            opened.append(bracket.start())
        elif opened:
            yield opened.pop(), bracket.start()


def _is_prose(prose: str, start: int, end: int) -> bool:
    """Whether brackets belong to the sentence: around Chinese, full-width on one side, or around a term after Chinese;
    `f(x)` and a shape such as `(N, C)` do not."""
    before, inner = prose[:start].rstrip(" "), prose[start + 1 : end]
    if _CHINESE.search(inner) or (prose[start] == "(") != (prose[end] == ")"):
        return True
    adjacent = before == prose[:start] and inner.isalpha()
    return bool(before and _CHINESE.match(before[-1]) and (adjacent or _TERM.fullmatch(inner)))


RULES = (
    Rule("M202", "entry", check_texts, allowable=True, works_on_partial_entry=True),
    Rule("M203", "entry", allowable=True),
    Rule("M204", "entry"),
    Rule("M205", "entry"),
    Rule("M206", "entry"),
)
