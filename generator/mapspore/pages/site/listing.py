"""Tables of APIs: the index with its facets, the page of a torch module, and that of a MindSpore module, which looks
the other way. In: a registry. Out: rows and facets, as the templates print them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from mapspore.pages.site.chips import Chip, evidence_chip, evidence_of, verdict_chip
from mapspore.pages.site.names import Names, terms
from mapspore.pages.site.texts import text, texts
from mapspore.resolve.registry import Mapping, Registry
from mapspore.text.markup import HTML, breakable
from mapspore.text.phrases import Language, label, verdict_name
from mapspore.words.kinds import CONSISTENT, Kind

VERDICTS = (CONSISTENT, *(kind.value for kind in Kind))
STATES = ("verified", "stale", "none")
UNSTATED = "unstated"
"""Stands for a platform where the documentation of no counterpart states one."""


@dataclass(frozen=True, slots=True)
class ApiRow:
    """An entry in a table; everything is HTML already."""

    name: str
    url: str
    short: str
    module: str
    summary: str
    mindspore: tuple[str, ...]
    verdict: Chip
    verdict_id: str
    evidence: Chip
    platforms: str
    platform_ids: str
    words: str
    """What a filter looks at beside what is shown."""


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    id: str
    name: str
    options: tuple[Option, ...]


def by_module(registry: Registry) -> dict[str, list[Mapping]]:
    """Mappings by the torch module, or class, that they belong to."""
    found: dict[str, list[Mapping]] = {}
    for mapping in registry.mappings:
        found.setdefault(mapping.name.rpartition(".")[0], []).append(mapping)
    return dict(sorted(found.items()))


def by_mindspore(registry: Registry) -> dict[str, list[tuple[str, Mapping]]]:
    """By MindSpore module: each of its APIs with the mappings that lead there."""
    found: dict[str, list[tuple[str, Mapping]]] = {}
    for mapping in registry.mappings:
        for counterpart in mapping.counterparts:
            name = counterpart.target.mindspore
            found.setdefault(name.rpartition(".")[0], []).append((name, mapping))
    return {module: sorted(pairs, key=lambda pair: (pair[0], pair[1].name)) for module, pairs in sorted(found.items())}


def rows(mappings: Iterable[Mapping], names: Names, language: Language, base: str, words: bool = False) -> list[ApiRow]:
    """A row per entry; `base` leads from the page to the folder of API pages."""
    return [_row(mapping, names, language, base, words) for mapping in mappings]


def _row(mapping: Mapping, names: Names, language: Language, base: str, words: bool) -> ApiRow:
    module, _, short = mapping.name.rpartition(".")
    platforms = platforms_of(mapping)
    summary, other = mapping.entry.summary.en, mapping.entry.summary.zh
    if language == "zh":
        summary, other = other, summary
    return ApiRow(
        name=mapping.name,
        url=f"{base}{mapping.name}/",
        short=short,
        module=module,
        summary=HTML.text(summary),
        mindspore=tuple(breakable(counterpart.target.mindspore) for counterpart in mapping.counterparts),
        verdict=verdict_chip(mapping.verdict, language),
        verdict_id=mapping.verdict,
        evidence=evidence_chip(mapping, mapping.preferred(), language, brief=True),
        platforms=label("comma", language).join(platforms),
        platform_ids=" ".join(platforms) or UNSTATED,
        words=escape(" ".join((*names.short(mapping), *terms(f"api/{mapping.name}"), other))) if words else "",
    )


def platforms_of(mapping: Mapping) -> list[str]:
    """Where any of the counterparts is documented to run, sorted."""
    return sorted({name for each in mapping.counterparts if each.api for name in each.api.platforms})


def facets(registry: Registry, language: Language) -> list[Facet]:
    """What the index can be narrowed by, each value with how many entries have it."""
    mappings = registry.mappings
    modules = Counter(mapping.name.rpartition(".")[0] for mapping in mappings)
    verdicts = Counter(mapping.verdict for mapping in mappings)
    states = Counter(str(evidence_of(mapping, mapping.preferred()).state) for mapping in mappings)
    places = Counter(name for mapping in mappings for name in platforms_of(mapping) or [UNSTATED])
    shown = texts(language)
    return [
        Facet("module", shown["module"], tuple(Option(name, name, modules[name]) for name in sorted(modules))),
        Facet("verdict", shown["verdict"], tuple(
            Option(each, verdict_name(each, language), verdicts[each]) for each in VERDICTS if verdicts[each]
        )),
        Facet("evidence", label("evidence", language), tuple(
            Option(each, shown[f"evidence_{each}"], states[each]) for each in STATES if states[each]
        )),
        Facet("platform", label("platforms", language), tuple(
            Option(name, shown["platform_unstated"] if name == UNSTATED else name, places[name])
            for name in sorted(places)
        )),
    ]  # fmt: skip


def lead(registry: Registry, language: Language) -> str:
    """How many entries there are, and of which versions."""
    versions = {"torch": registry.torch.version, "mindspore": registry.mindspore.version}
    return text("apis_lead", language, entries=str(len(registry.mappings)), **versions)


@dataclass(frozen=True, slots=True)
class Reverse:
    """A MindSpore API and a torch API that it stands for."""

    mindspore: str
    torch: str
    url: str
    verdict: Chip


def reverse(pairs: Iterable[tuple[str, Mapping]], language: Language, base: str) -> list[Reverse]:
    return [
        Reverse(
            breakable(name),
            breakable(mapping.name),
            f"{base}{mapping.name}/",
            next(verdict_chip(c.verdict, language) for c in mapping.counterparts if c.target.mindspore == name),
        )
        for name, mapping in pairs
    ]
