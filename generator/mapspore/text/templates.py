"""The Jinja environment, and the labels that templates print. It is strict: an undefined name is an error, nothing is
escaped here (views are escaped already), and registry text is only ever a value, never a template. Programs are printed
through `fenced`.
"""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from mapspore.base.paths import templates_folder
from mapspore.text.markup import fenced
from mapspore.text.phrases import Language, catalogue


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(templates_folder()),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.filters["fenced"] = fenced
    return made


@cache
def labels(language: Language) -> dict[str, str]:
    return {key: texts[language] for key, texts in catalogue("labels").items()}
