"""The page of errata. In: what the official tables claim and a run contradicts. Out: Markdown with a row for each, and
the programs that show it, as files beside the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from mapspore.base.artifact import Artifact
from mapspore.pages.page import Shown
from mapspore.pages.site.texts import render, text
from mapspore.text.markup import MARKDOWN, breakable
from mapspore.text.phrases import Language, label
from mapspore.view.errata import ErratumView

ERRATA = "guides/errata.md"
PROGRAMS = "guides/errata"


def errata_pages(found: Sequence[ErratumView], language: Language) -> list[Artifact]:
    rows = [_row(each, language) for each in found]
    lead = text("errata_count", language, count=str(len(rows)))
    page = Artifact(ERRATA, render("errata", language, rows=rows, lead=lead))
    return [page, *(Artifact(f"{PROGRAMS}/{_file(each)}", each.program) for each in found)]


def _file(each: ErratumView) -> str:
    return f"{each.torch}--{each.mindspore}.py"


def _row(each: ErratumView, language: Language) -> Shown:
    return {
        "url": f"../api/{each.entry}.md",
        "torch": breakable(each.torch),
        "mindspore": breakable(each.mindspore),
        "tables": label("comma", language).join(each.tables),
        "shown": [MARKDOWN.text(shown.of(language)) for shown in each.shown],
        "program": f"errata/{_file(each)}",
    }
