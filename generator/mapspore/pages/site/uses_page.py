"""The page of what real code uses: a registry and a table of uses in, Markdown out, with a row per torch name."""

from __future__ import annotations

from collections import Counter

from mapspore.base.artifact import Artifact
from mapspore.entry.model import PLATFORMS
from mapspore.facts.uses import Use, Uses
from mapspore.pages.page import Shown
from mapspore.pages.site.chips import Chip, evidence_chip, verdict_chip
from mapspore.pages.site.listing import UNSTATED, judged_facets, platforms_of
from mapspore.pages.site.pictures import REST, by_uses, percent
from mapspore.pages.site.texts import render, text
from mapspore.text.phrases import Language, label
from mapspore.view.entry_view import EntryView, RegistryView, TargetView

USES = "uses.md"
SHOWN = 300
"""How many names the page shows, so that it stays light."""


def uses_page(registry: RegistryView, uses: Uses, language: Language) -> Artifact:
    entries = {entry.torch: entry for entry in registry.entries}
    first = uses.listed[:SHOWN]
    rows = [_row(use, uses, entries.get(registry.answering(use.name)), language) for use in first]
    shown = percent(sum(use.count for use in first), uses.total, 1)
    limit = text("uses_limit", language, shown=str(len(first)), names=f"{uses.names:,}", share=shown)
    judged, states, places = (_count(rows, key) for key in ("verdicts", "state", "places"))
    verdict, *others = judged_facets(judged, states, places, language)
    verdict[2].append((REST, text("tone_rest", language), judged[REST]))
    lead = by_uses(registry, uses, language)["said"]
    return Artifact(USES, render("uses", language, rows=rows, facets=[verdict, *others], lead=lead, limit=limit))


def verdicts(entry: EntryView) -> list[tuple[EntryView | TargetView, list[str]]]:
    """By platform what the counterpart that is taken there is judged to be: each verdict with its platforms."""
    found: dict[str, tuple[EntryView | TargetView, list[str]]] = {}
    for platform in platforms_of(entry) and PLATFORMS:
        taken = next((each for each in entry.targets if platform in (each.platforms or PLATFORMS)), None)
        if taken is not None:
            found.setdefault(taken.verdict, (taken, []))[1].append(platform)
    return list(found.values()) or [(entry, [])]


def _count(rows: list[Shown], key: str) -> Counter[str]:
    """How many rows have each value."""
    return Counter(value for row in rows for value in row[key].split())


def _row(use: Use, uses: Uses, entry: EntryView | None, language: Language) -> Shown:
    module, _, short = use.name.rpartition(".")
    judged = verdicts(entry) if entry else []
    chips = [(verdict_chip(each, language), label("comma", language).join(places)) for each, places in judged]
    evidence = evidence_chip(entry, None, language, brief=True) if entry else None
    places = [name for _, named in judged for name in named] or ([UNSTATED] if entry else [])
    return {
        "url": f"../api/{entry.torch}/" if entry else "",
        "module": module,
        "short": short,
        "uses": f"{use.count:,}",
        "share": percent(use.count, uses.total, 2),
        "chips": chips or [(Chip(REST, text("tone_rest", language)), "")],
        "verdicts": " ".join(each.verdict for each, _ in judged) or REST,
        "evidence": evidence,
        "state": evidence.tone if evidence else "",
        "places": " ".join(places),
    }
