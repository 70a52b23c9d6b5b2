"""Text on a terminal: how many columns it takes, how it is cut, and how unprintable characters are shown.

Chinese characters take two columns; control characters would move the cursor and are shown as signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import category, combining, east_asian_width

CUT = "…"


def width(text: str) -> int:
    """The columns that a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """The text, filled with spaces up to a number of columns."""
    return text + " " * (columns - width(text))


def visible(text: str) -> str:
    """The same number of characters, with a sign for each one that a terminal would obey or hide."""
    return text if text.isprintable() else "".join(map(_sign, text))


def _sign(character: str) -> str:
    if character.isprintable() or category(character) == "Zs":
        return character
    if character == "\t":
        return "→"
    number = ord(character)
    return chr(0x2400 + number) if number < 0x20 else "␡" if number == 0x7F else "\ufffd"


def table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows as aligned lines; the last column is not filled up."""
    if not rows:
        return []
    widths = [max(width(row[index]) for row in rows) for index in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        cells = [padded(cell, columns) for cell, columns in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return lines


def excerpt(line: str, start: int, length: int, columns: int) -> tuple[str, int, int]:
    """The part of a line around `length` characters from `start` on, within `columns`.

    Returns the text to show, and from which column on how many columns the characters take in it.
    """
    text = visible(line)
    start = min(start, len(text))
    end = min(start + max(length, 1), len(text))
    if width(text) <= columns:
        return text, width(text[:start]), max(width(text[start:end]), 1)
    room = columns - 2 * width(CUT)
    first = start  # goes left while a third of the room is free, so that the marked part comes early
    used = 0
    while first > 0 and used + _columns(text[first - 1]) <= room // 3:
        first -= 1
        used += _columns(text[first])
    last = first
    used = 0
    while last < len(text) and used + _columns(text[last]) <= room:
        used += _columns(text[last])
        last += 1
    while last == len(text) and first > 0 and used + _columns(text[first - 1]) <= room:
        first -= 1
        used += _columns(text[first])
    before = CUT if first > 0 else ""
    after = CUT if last < len(text) else ""
    at = width(before + text[first:start])
    return before + text[first:last] + after, at, max(width(text[start : min(end, last)]), 1)
