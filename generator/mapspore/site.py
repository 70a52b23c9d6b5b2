"""The site's generated part: a registry and a language go in, files in memory and the navigation come out.

API pages with their entries beside them, a page per torch module, the overview and the glossary of verdicts.
Hand-written pages lie in `site/`; `site/hook.py` hands both to mkdocs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mapspore.example import example
from mapspore.format import without_modeline
from mapspore.kinds import CONSISTENT, GENERAL_PARAMETERS, Exemption, Kind
from mapspore.markup import MARKDOWN
from mapspore.phrases import Language, catalogue, fill, kind_name, phrase, verdict_name
from mapspore.render import SITE, Artifact, environment, render_page
from mapspore.resolve import Mapping, Registry

OVERVIEW = "api/index.md"
GLOSSARY = "verdict.md"
EXAMPLE = "guides/data-parallel.md"
EXAMPLE_FOLDER = "examples/data_parallel"


@dataclass(frozen=True, slots=True)
class ApiRow:
    """A line of a module's table: one counterpart; the torch name stands in the first line of its entry."""

    torch: str
    mindspore: str
    verdict: str


@dataclass(frozen=True, slots=True)
class ModuleView:
    name: str
    url: str
    count: int
    verdicts: str
    rows: tuple[ApiRow, ...]


def site_files(registry: Registry, language: Language) -> list[Artifact]:
    """Every generated file of one language, by its path in the site's sources."""
    modules = [_module(name, mappings, language) for name, mappings in by_module(registry).items()]
    made = [
        Artifact(OVERVIEW, _overview(registry, modules, language)),
        Artifact(GLOSSARY, _glossary(language)),
    ]
    for module in modules:
        made.append(Artifact(module_path(module.name), _page("module", language, module=module)))
    for mapping in registry.mappings:
        made.append(Artifact(f"api/{SITE.page_of(mapping.name)}", render_page(mapping, registry, language)))
        made.append(Artifact(f"api/{SITE.entry_of(mapping.name)}", without_modeline(mapping.source.text)))
    return made


def guide_files(root: Path, language: Language) -> list[Artifact]:
    """The pages that are made from the programs in `examples/`; a registry elsewhere need not have them."""
    folder = root / EXAMPLE_FOLDER
    return [Artifact(EXAMPLE, _page("example", language, example=example(folder, language)))] if folder.is_dir() else []


def navigation(registry: Registry, language: Language, guides: Iterable[Artifact]) -> list[dict[str, Any]]:
    """What the navigation lists: module pages and guides, never API pages."""
    modules = [{name: module_path(name)} for name in by_module(registry)]
    texts = _texts(language)
    titles = {EXAMPLE: texts["example_title"]}
    return [
        {texts["home"]: "index.md"},
        {texts["apis"]: [{texts["apis_title"]: OVERVIEW}, *modules]},
        {
            texts["guides"]: [
                *({titles[guide.path]: guide.path} for guide in guides),
                {texts["glossary_title"]: GLOSSARY},
            ]
        },
    ]


def in_navigation(path: str) -> bool:
    return path.startswith("modules/") or path in (OVERVIEW, GLOSSARY, EXAMPLE)


def by_module(registry: Registry) -> dict[str, list[Mapping]]:
    """Mappings by the torch module, or class, that they belong to."""
    found: dict[str, list[Mapping]] = {}
    for mapping in registry.mappings:
        found.setdefault(mapping.name.rpartition(".")[0], []).append(mapping)
    return dict(sorted(found.items()))


def module_path(name: str) -> str:
    return f"modules/{name}.md"


def _module(name: str, mappings: list[Mapping], language: Language) -> ModuleView:
    counts = Counter(mapping.verdict for mapping in mappings)
    order = [CONSISTENT, *(kind.value for kind in Kind)]
    verdicts = [
        _text("verdict_count", language, name=verdict_name(verdict, language), count=str(counts[verdict]))
        for verdict in sorted(counts, key=order.index)
    ]
    rows = tuple(row for mapping in mappings for row in _rows(mapping, language))
    return ModuleView(name, f"../{module_path(name)}", len(mappings), "<br>".join(verdicts), rows)


def _rows(mapping: Mapping, language: Language) -> Iterator[ApiRow]:
    link = f"[{mapping.name.rpartition('.')[2]}](../api/{SITE.page_of(mapping.name)})"
    if not mapping.counterparts:
        yield ApiRow(link, _texts(language)["none"], verdict_name(mapping.verdict, language))
    for counterpart in mapping.counterparts:
        target = MARKDOWN.code(counterpart.target.mindspore)
        yield ApiRow(link, target, verdict_name(counterpart.verdict, language))
        link = ""


def _overview(registry: Registry, modules: list[ModuleView], language: Language) -> str:
    versions = {"torch": registry.torch.version, "mindspore": registry.mindspore.version}
    lead = _text("apis_lead", language, entries=str(len(registry.mappings)), **versions)
    return _page("apis", language, lead=lead, modules=modules)


def _glossary(language: Language) -> str:
    phrases = catalogue("phrases")
    kinds = [
        {
            "name": kind_name(kind.value, language),
            "verdict": verdict_name(CONSISTENT if kind is Kind.SAME else kind.value, language),
            "means": MARKDOWN.text(phrases["glossary"][kind.value]["means"][language]),
        }
        for kind in Kind
    ]
    policies = [
        {"name": MARKDOWN.code(name), "effect": MARKDOWN.text(phrase("policies", name, language))}
        for name in phrases["policies"]
    ]
    exemptions = [MARKDOWN.text(phrase("exemptions", exemption.value, language)) for exemption in Exemption]
    general = MARKDOWN.text(_text("general_lead", language, names=", ".join(sorted(GENERAL_PARAMETERS))))
    return _page("verdict", language, kinds=kinds, exemptions=exemptions, general=general, policies=policies)


def _page(template: str, language: Language, **views: object) -> str:
    return environment().get_template(f"pages/{template}.md.j2").render(text=_texts(language), **views)


@cache
def _texts(language: Language) -> dict[str, str]:
    return {key: texts[language] for key, texts in catalogue("site").items()}


def _text(key: str, language: Language, **values: str) -> str:
    return fill(_texts(language)[key], values, language)
