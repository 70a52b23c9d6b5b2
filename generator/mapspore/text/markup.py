"""Text to markup: sentences whose only markup is `backticks` become Markdown or HTML, or stay as they are.

Whatever else a text contains, it is shown as text: nothing in it can become HTML, a link, a table cell or a
template. Programs and what they print become fenced blocks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from mapspore.base.terminal import visible

_SPECIAL = re.compile(r"[\\`*_{}\[\]|~^$]")  # signs that mean nothing inside a line of prose stay readable
_CODE = re.compile(r"`([^`]*)`")
_OPENING = re.compile(r"[#\-+=:!]|\d+[.)]")
_SPACES = re.compile(r"\s+")
_TICKS = re.compile(r"`+")
_SHORTEST_FENCE = 3


@dataclass(frozen=True, slots=True)
class Markup:
    """How a sentence and a piece of code are printed."""

    text: Callable[[str], str]
    code: Callable[[str], str]


def _escaped(text: str) -> str:
    """Every character that Markdown or HTML could take for markup, as an entity or behind a backslash."""
    safe = html.escape(_SPACES.sub(" ", text), quote=False)
    return _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", safe)


def _markdown_code(text: str) -> str:
    """A code span; one with a pipe, a backtick or a tag in it is written in HTML, which leaves them alone."""
    text = _SPACES.sub(" ", text)
    if re.search(r"[|`\\{}<]", text) or text != text.strip() or not text:
        return "<code>" + _escaped(text) + "</code>"
    return f"`{text}`"


def _markdown(text: str) -> str:
    parts: list[str] = []
    at = 0
    for match in _CODE.finditer(text):
        parts += [_escaped(text[at : match.start()]), _markdown_code(match[1])]
        at = match.end()
    line = "".join((*parts, _escaped(text[at:])))
    # A sign that opens a heading, a list or a block when a line begins with it.
    return f"&#{ord(line[0])};{line[1:]}" if _OPENING.match(line) else line


def _html(text: str) -> str:
    """Code spans where backticks pair up; all else is text."""
    parts: list[str] = []
    at = 0
    text = _SPACES.sub(" ", text)
    for match in _CODE.finditer(text):
        parts += [html.escape(text[at : match.start()]), f"<code>{html.escape(match[1])}</code>"]
        at = match.end()
    return "".join((*parts, html.escape(text[at:])))


MARKDOWN = Markup(_markdown, _markdown_code)
HTML = Markup(_html, lambda text: f"<code>{html.escape(text)}</code>")


def breakable(name: str) -> str:
    """A dotted name in HTML that may go on in the next line after each dot."""
    return html.escape(name).replace(".", ".<wbr>")


def fenced(text: str, language: str = "") -> str:
    """A program, or what one printed, as a Markdown block. Its fence is longer than any run of backticks inside, so
    that no line of the text can end it; what a terminal would obey is shown as a sign."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    lines = ("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))
    return "\n".join([fence + language, *lines, fence])
