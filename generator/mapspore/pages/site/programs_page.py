"""The page of whole programs: their results in, Markdown out, with a row and a section per program. A section shows the
curves of both sides, how far they are apart, and what was run; of a program that does not run, what it lacks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from mapspore.base.artifact import Artifact
from mapspore.evidence.programs import Program, ProgramRun
from mapspore.pages.page import Shown
from mapspore.pages.site.chart import Series, line_chart
from mapspore.pages.site.names import terms
from mapspore.pages.site.texts import render, text
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import Language
from mapspore.view.entry_view import RegistryView

PROGRAMS = "guides/programs.md"
TONES = {"agrees": "agrees", "differs": "silent", "fails": "none", "ill_posed": "none", "no_reference": "none"}
"""How the outcome of a program is coloured."""
SIDES = {"torch": "PyTorch", "mindspore": "MindSpore"}
SORTS = ("loss", "gradient", "state")


def programs_page(ran: Iterable[tuple[Program, ProgramRun]], registry: RegistryView, language: Language) -> Artifact:
    views = [_view(program, result, registry, language) for program, result in ran]
    agree = sum(view["tone"] == "agrees" for view in views)
    lead = text("programs_count", language, agree=str(agree), count=str(len(views)))
    tags = json.dumps(list(terms("guides/programs")), ensure_ascii=False)
    return Artifact(PROGRAMS, render("programs", language, programs=views, lead=lead, tags=tags))


def _view(program: Program, result: ProgramRun, registry: RegistryView, language: Language) -> Shown:
    outcome = result.outcome if result.holds else "stale"
    pages = {entry.torch for entry in registry.entries}
    versions = text("programs_versions", language, **result.versions, processor=result.processor)
    return {
        "name": program.name,
        "id": program.name.replace("_", "-"),
        "about": MARKDOWN.text(program.about),
        "ranks": result.ranks,
        "steps": result.steps or "-",
        "tone": TONES.get(outcome, "none"),
        "outcome": text(f"programs_{outcome}", language),
        "largest": _largest(result),
        "rows": [
            (text(f"programs_sort_{sort}", language), _number(result.deviation[sort]), _number(result.bound[sort]))
            for sort in SORTS
            if result.deviation and result.bound
        ],
        "times": {side: _milliseconds(result.seconds[side]) if result.seconds else "-" for side in SIDES},
        "picture": _picture(program, result, language),
        "says": MARKDOWN.text(result.says),
        "lacking": _lacking(result, language),
        "apis": [
            (name, f"../api/{answering}.md" if answering in pages else "")
            for name, answering in _apis(result, registry)
        ],
        "used": text("programs_used", language, count=str(len(result.apis))),
        "versions": MARKDOWN.text(versions),
        "platform": MARKDOWN.text(text("programs_platform", language, platform=result.platform)),
    }


def _lacking(result: ProgramRun, language: Language) -> str:
    """What keeps a program from running, in a sentence."""
    names = text("programs_comma", language).join(f"`{name}`" for name in result.lacking)
    return MARKDOWN.text(text("programs_lacking", language, names=names)) if names else ""


def _apis(result: ProgramRun, registry: RegistryView) -> list[tuple[str, str]]:
    return [(name, registry.answering(name)) for name in result.apis]


def _largest(result: ProgramRun) -> str:
    """The largest deviation of any sort."""
    if result.deviation is None:
        return "-"
    measured = list(result.deviation.values())
    return _number(None if None in measured else max(value for value in measured if value is not None))


def _number(value: float | None) -> str:
    return "∞" if value is None else f"{value:.1e}"


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms"


def _picture(program: Program, result: ProgramRun, language: Language) -> str:
    """The losses of both sides over the steps, if all of them are numbers."""
    if result.losses is None:
        return ""
    series = [
        Series(name, tuple(loss for loss in result.losses[side] if loss is not None)) for side, name in SIDES.items()
    ]
    if not all(len(each.values) == result.steps for each in series) or not result.steps:
        return ""
    return line_chart(text("programs_curve", language, name=program.name), text("programs_step", language), series)
