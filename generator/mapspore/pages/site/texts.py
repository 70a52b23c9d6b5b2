"""The sentences of the site other than those of API pages: `templates/text/site.yaml`, in one language."""

from __future__ import annotations

from functools import cache

from mapspore.text.phrases import Language, catalogue, fill
from mapspore.text.templates import environment, labels


@cache
def texts(language: Language) -> dict[str, str]:
    return {key: each[language] for key, each in catalogue("site").items()}


def text(key: str, language: Language, **values: str) -> str:
    return fill(texts(language)[key], values, language)


def render(template: str, language: Language, **views: object) -> str:
    """A page of the site, from its template in `templates/site`."""
    made = environment().get_template(f"site/{template}.md.j2")
    return made.render(text=texts(language), label=labels(language), language=language, **views)
