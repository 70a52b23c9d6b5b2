"""What stands around every page, in the build and in the preview: what the theme is told, and what is repaired of
what it makes. In: versions and a language, or a page's HTML. Out: values for the theme, or the HTML.
"""

from __future__ import annotations

import re
from typing import Any

from mapspore.base.version import version
from mapspore.pages.site.texts import text, texts
from mapspore.text.phrases import Language

_SPACE = re.compile(r"\s*\n\s*")
_AT_TAGS = re.compile(r"(?<=>)\n|\n(?=<)")
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
"""A picture within HTML needs none."""
_UNSEEN = re.compile(r'<div class="md-sidebar md-sidebar--secondary"[^>]*hidden>.*?(?=<div class="md-content")', re.S)
"""The table of contents of a page that shows none."""
_PLAIN = re.compile(r'<span class="(?:n|o|p|w)">([^<]*)</span>')
"""Names, operators, punctuation and space in code: they have the colour of all code."""
_IMPLIED = re.compile(r"</(?:td|th|tr|li|dt|dd)>|<span></span>")
"""Ends of cells, rows and items, which HTML takes as read, and a mark that code highlighting leaves."""


def extra(torch: str, mindspore: str, language: Language) -> dict[str, Any]:
    """What the theme's own templates print."""
    footer = text("footer", language, registry=version(), torch=torch, mindspore=mindspore)
    return {"text": texts(language), "footer": footer}


def patch_theme(page: str, language: Language) -> str:
    """The theme asks for a site map beside everything that is an alternate and nothing else, and leaves its search
    without a name for those who do not see it."""
    named = f'role="dialog" aria-label="{texts(language)["search_label"]}"'
    return page.replace('<link rel="alternate"', '<link rel="alternate translation"').replace('role="dialog"', named)


def compact(page: str) -> str:
    """Without what nobody sees: blank lines and indentation that the theme leaves around the article, a hidden table of
    contents, marks in code, ends that go without saying. It is a quarter of a page."""
    before, article, rest = page.partition("<article")
    inside, end, after = rest.partition("</article>")
    first, opened, text = inside.partition("<h1")
    shown = _tight(first) + opened + _PLAIN.sub(r"\1", text.rstrip())
    return _IMPLIED.sub("", _UNSEEN.sub("", _tight(before)) + article + shown + end + _tight(after))


def _tight(frame: str) -> str:
    return _AT_TAGS.sub("", _SPACE.sub("\n", frame)).replace(_NAMESPACE, "")
