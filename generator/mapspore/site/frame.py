"""What stands around every page, in the build and in the preview: what the theme is told, and what is mended of what it
makes. In: a registry and a language, or a page's HTML. Out: values for the theme, or the HTML.
"""

from __future__ import annotations

import re
from typing import Any

from mapspore.phrases import Language
from mapspore.resolve import Registry
from mapspore.site.texts import text, texts
from mapspore.version import version

_SPACE = re.compile(r"\s*\n\s*")


def extra(registry: Registry, language: Language) -> dict[str, Any]:
    """What the theme's own templates print."""
    versions = {"torch": registry.torch.version, "mindspore": registry.mindspore.version}
    return {"text": texts(language), "footer": text("footer", language, registry=version(), **versions)}


def mended(page: str, language: Language) -> str:
    """The theme asks for a site map beside everything that is an alternate and nothing else, and leaves its search
    without a name for those who do not see it."""
    named = f'role="dialog" aria-label="{texts(language)["search_label"]}"'
    return page.replace('<link rel="alternate"', '<link rel="alternate translation"').replace('role="dialog"', named)


def compact(page: str) -> str:
    """Without the blank lines and the indentation that the theme leaves around the article: a sixth of a page."""
    before, article, rest = page.partition("<article")
    inside, end, after = rest.partition("</article>")
    return _SPACE.sub("\n", before) + article + inside + end + _SPACE.sub("\n", after)
