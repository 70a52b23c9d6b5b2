"""Every generated file of one language: a registry goes in, artifacts and the navigation come out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mapspore.base.artifact import Artifact
from mapspore.entry.canonical import without_modeline
from mapspore.evidence.programs import Program, ProgramRun
from mapspore.facts.uses import load_uses
from mapspore.pages.site.api import api_page
from mapspore.pages.site.errata_page import ERRATA, errata_pages
from mapspore.pages.site.fields_page import FIELDS, fields_page
from mapspore.pages.site.guides import EXAMPLE, GLOSSARY, VERDICT, example_pages, glossary_page, verdict_page
from mapspore.pages.site.home import HOME, home_page, names_file
from mapspore.pages.site.listing import by_mindspore, by_module, facets, lead, reverse, rows
from mapspore.pages.site.machine_readable import redirects, twin
from mapspore.pages.site.names import search_words, terms
from mapspore.pages.site.programs_page import PROGRAMS, programs_page
from mapspore.pages.site.texts import render, texts
from mapspore.pages.site.uses_page import USES, uses_page
from mapspore.text.markup import breakable
from mapspore.text.phrases import Language
from mapspore.view.entry_view import EntryView, RegistryView
from mapspore.view.errata import ErratumView

INDEX = "api/index.md"
REVERSE = "mindspore/index.md"
WRITTEN = ("guides/reading.md", "guides/contributing.md", "guides/json-format.md", "guides/design.md")
"""The guides that are written by hand, below `site/<language>/`."""


def site_files(
    registry: RegistryView, root: Path, language: Language, repository: str | None = None,
    ran: Sequence[tuple[Program, ProgramRun]] = (), errata: Sequence[ErratumView] = (),
) -> list[Artifact]:  # fmt: skip
    """All that is made from the registry, from what whole programs did and from what contradicts the official tables,
    by its path in the site's sources."""
    made = [
        home_page(registry, root, language),
        names_file(registry, language),
        _index(registry, language),
        uses_page(registry, load_uses(root), language),
        verdict_page(language),
        glossary_page(registry, language),
        fields_page(language),
        *example_pages(root, language),
        *([programs_page(ran, registry, language)] if ran else []),
        *(errata_pages(errata, language) if errata else []),
        *redirects(registry, language),
        *map(twin, registry.entries),
    ]
    for module, entries in by_module(registry).items():
        listed = rows(entries, language, "../../api/")
        made.append(Artifact(module_path(module), _module(module, language, rows=listed)))
    there = by_mindspore(registry)
    made.append(Artifact(REVERSE, render("reverse", language, modules=_counted(there))))
    for module, pairs in there.items():
        listed_there = reverse(pairs, language, "../../api/")
        made.append(Artifact(mindspore_path(module), _module(module, language, "mindspore", rows=listed_there)))
    for entry in registry.entries:
        made.append(Artifact(f"api/{entry.torch}.md", api_page(entry, language, repository, root)))
        made.append(Artifact(f"api/{entry.torch}.yaml", without_modeline(entry.yaml)))
    return made


def navigation(registry: RegistryView, language: Language, made: Iterable[str]) -> list[dict[str, Any]]:
    """What the navigation lists: the index, module pages and guides, never API pages."""
    shown, there = texts(language), set(made)
    guides = {
        "reading_title": WRITTEN[0],
        "glossary_title": VERDICT,
        "kinds_page_title": GLOSSARY,
        "programs_title": PROGRAMS,
        "errata_title": ERRATA,
        "example_title": EXAMPLE,
        "contributing_title": WRITTEN[1],
        "fields_title": FIELDS,
        "json_title": WRITTEN[2],
        "design_title": WRITTEN[3],
    }
    listed = {"index_title": INDEX, "uses_title": USES}
    modules = [{name: module_path(name)} for name in by_module(registry)]
    return [
        {shown["home"]: HOME},
        {shown["apis"]: [*({shown[title]: path} for title, path in listed.items()), *modules]},
        {"MindSpore": REVERSE},
        {shown["guides"]: [{shown[title]: path} for title, path in guides.items() if path in there]},
    ]


def in_navigation(path: str) -> bool:
    return not path.startswith(("api/", "mindspore/")) or path in (INDEX, REVERSE)


def module_path(name: str) -> str:
    return f"modules/{name}.md"


def mindspore_path(name: str) -> str:
    return f"mindspore/{name}.md"


def _index(registry: RegistryView, language: Language) -> Artifact:
    listed = rows(registry.entries, language, "", words=True)
    return Artifact(
        INDEX,
        render("index", language, rows=listed, facets=facets(registry, language), lead=lead(registry, language)),
    )


def _counted(listed: dict[str, list[tuple[str, EntryView]]]) -> list[tuple[str, int]]:
    """How many APIs of each module there are."""
    return [(module, len({name for name, _ in pairs})) for module, pairs in listed.items()]


def _module(name: str, language: Language, template: str = "module", **views: object) -> str:
    folder = {"module": "modules", "mindspore": "mindspore"}[template]
    tags = json.dumps(search_words(terms(f"{folder}/{name}")), ensure_ascii=False)
    return render(template, language, name=breakable(name), tags=tags, **views)
