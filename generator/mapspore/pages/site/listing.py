"""Tables of APIs: the index with its facets, the page of a torch module, and that of a MindSpore module, which looks
the other way. In: a registry. Out: rows and facets, as the templates print them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape

from mapspore.pages.page import Shown
from mapspore.pages.site.chips import evidence_chip, verdict_chip
from mapspore.pages.site.names import short_names, terms
from mapspore.pages.site.texts import text, texts
from mapspore.text.markup import HTML, breakable
from mapspore.text.phrases import Language, label, verdict_name
from mapspore.view.entry_view import EntryView, RegistryView
from mapspore.words.kinds import CONSISTENT, Kind

VERDICTS = (CONSISTENT, *(kind.value for kind in Kind))
STATES = ("verified", "stale", "none")
UNSTATED = "unstated"
"""Stands for a platform where the documentation of no counterpart states one."""
Option = tuple[str, str, int]
"""A value of a facet, its name, and how many entries have it."""


def by_module(registry: RegistryView) -> dict[str, list[EntryView]]:
    """Entries by the torch module, or class, that they belong to."""
    found: dict[str, list[EntryView]] = {}
    for entry in registry.entries:
        found.setdefault(entry.torch.rpartition(".")[0], []).append(entry)
    return dict(sorted(found.items()))


def by_mindspore(registry: RegistryView) -> dict[str, list[tuple[str, EntryView]]]:
    """By MindSpore module: each of its APIs with the entries that lead there."""
    found: dict[str, list[tuple[str, EntryView]]] = {}
    for entry in registry.entries:
        for target in entry.targets:
            found.setdefault(target.mindspore.rpartition(".")[0], []).append((target.mindspore, entry))
    return {module: sorted(pairs, key=lambda pair: (pair[0], pair[1].torch)) for module, pairs in sorted(found.items())}


def rows(entries: Iterable[EntryView], language: Language, base: str, words: bool = False) -> list[Shown]:
    """A row per entry, as HTML; `base` leads from the page to the folder of API pages. With `words` it has what a
    filter looks at beside what is shown."""
    return [_row(entry, language, base, words) for entry in entries]


def _row(entry: EntryView, language: Language, base: str, words: bool) -> Shown:
    module, _, short = entry.torch.rpartition(".")
    platforms = platforms_of(entry)
    other = entry.summary.of("en" if language == "zh" else "zh")
    return {
        "url": f"{base}{entry.torch}/",
        "short": short,
        "module": module,
        "summary": HTML.text(entry.summary.of(language)),
        "mindspore": [breakable(target.mindspore) for target in entry.targets],
        "verdict": verdict_chip(entry, language),
        "verdict_id": entry.verdict,
        "evidence": evidence_chip(entry, None, language, brief=True),
        "platforms": label("comma", language).join(platforms),
        "platform_ids": " ".join(platforms) or UNSTATED,
        "words": escape(" ".join((*short_names(entry), *terms(f"api/{entry.torch}")))) if words else "",
        "about": escape(other) if words else "",
    }


def platforms_of(entry: EntryView) -> list[str]:
    """Where any of the counterparts is documented to run, sorted."""
    return sorted({name for target in entry.targets for name in target.platforms})


def facets(registry: RegistryView, language: Language) -> list[tuple[str, str, list[Option]]]:
    """What the index can be narrowed by: an id, a name, and the values."""
    entries, shown = registry.entries, texts(language)
    modules = Counter(entry.torch.rpartition(".")[0] for entry in entries)
    verdicts = Counter(entry.verdict for entry in entries)
    states = Counter(entry.evidence_of().state for entry in entries)
    places = Counter(name for entry in entries for name in platforms_of(entry) or [UNSTATED])
    in_modules = [(name, name, modules[name]) for name in sorted(modules)]
    return [("module", shown["module"], in_modules), *judged_facets(verdicts, states, places, language)]


def judged_facets(
    verdicts: Counter[str], states: Counter[str], places: Counter[str], language: Language
) -> list[tuple[str, str, list[Option]]]:
    """The facets of what entries say, from how many rows have each value."""
    shown = texts(language)
    verdict_names = [(each, verdict_name(each, language), verdicts[each]) for each in VERDICTS if verdicts[each]]
    state_names = [(each, shown[f"evidence_{each}"], states[each]) for each in STATES if states[each]]
    place_names = {UNSTATED: shown["platform_unstated"]}
    return [
        ("verdict", shown["verdict"], verdict_names),
        ("evidence", label("evidence", language), state_names),
        ("platform", label("platforms", language), [(n, place_names.get(n, n), places[n]) for n in sorted(places)]),
    ]


def lead(registry: RegistryView, language: Language) -> str:
    """How many entries there are, and of which versions."""
    versions = {"torch": registry.torch, "mindspore": registry.mindspore}
    return text("apis_lead", language, entries=str(len(registry.entries)), **versions)


def reverse(pairs: Iterable[tuple[str, EntryView]], language: Language, base: str) -> list[Shown]:
    """A row per MindSpore API and torch API that it stands for."""
    return [
        {
            "mindspore": breakable(name),
            "torch": breakable(entry.torch),
            "url": f"{base}{entry.torch}/",
            "verdict": next(verdict_chip(target, language) for target in entry.targets if target.mindspore == name),
        }
        for name, entry in pairs
    ]
