"""Coverage and evidence as bars: numbers of the registry in, SVG out.

A bar is stretched by the page that it stands in and takes its colours from there, so it follows width, light and dark;
names and numbers stand beside it as text. The same registry gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from mapspore.facts.uses import Uses
from mapspore.pages.page import Shown
from mapspore.pages.site.chips import tone
from mapspore.pages.site.listing import STATES, by_module
from mapspore.pages.site.texts import text, texts
from mapspore.text.markup import breakable
from mapspore.text.phrases import Language
from mapspore.view.entry_view import RegistryView

TONES = ("agrees", "loud", "silent", "none")
REST = "rest"
SHOWN = 9
"""How many modules the picture shows."""


def bar(parts: Sequence[tuple[str, int]], said: str) -> str:
    """Parts of a whole in a row, each with the class that gives its colour."""
    total = sum(count for _, count in parts) or 1
    drawn, at = [], 0.0
    for tone_, count in parts:
        if count:
            width = 100 * count / total
            drawn.append(f'<rect class="{tone_}" x="{at:.2f}" width="{width:.2f}" height="1"/>')
            at += width
    return (
        f'<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="{escape(said)}">'
        + "".join(drawn)
        + "</svg>"
    )


def coverage(registry: RegistryView, language: Language) -> Shown:
    """By torch module: how many of its public names have an entry, and with which verdicts."""
    public = Counter(name.rpartition(".")[0] for name in registry.answered)
    verdicts = {entry.torch: tone(entry.verdict) for entry in registry.entries}
    tones: dict[str, Counter[str]] = {}
    for name, entry in registry.answered.items():
        if entry:
            tones.setdefault(name.rpartition(".")[0], Counter())[verdicts[entry]] += 1
    known = {module: found.total() for module, found in tones.items()}
    pages = by_module(registry)
    # A class with its methods is no module of its own here.
    modules = [module for module in public if not module.rpartition(".")[2][:1].isupper() or module == "torch.Tensor"]
    chosen = sorted(modules, key=lambda module: (-known.get(module, 0), -public[module], module))[:SHOWN]
    bars = []
    for module in chosen:
        found = tones.get(module, Counter())
        parts = [*((each, found[each]) for each in TONES), (REST, public[module] - known.get(module, 0))]
        count = text("covered", language, known=str(known.get(module, 0)), all=str(public[module]))
        url = f"modules/{module}/" if module in pages else ""
        picture = bar(parts, f"{module}: {count}")
        bars.append({"name": breakable(module), "url": url, "picture": picture, "count": count})
    counts = Counter(verdicts.values())
    shown = texts(language)
    return {"bars": bars, "legend": [(each, shown[f"tone_{each}"], counts[each]) for each in TONES]}


def by_uses(registry: RegistryView, uses: Uses, language: Language) -> Shown:
    """Of all uses of torch in real code: how many are of a name that an entry answers for, and with which verdicts."""
    tones = {entry.torch: tone(entry.verdict) for entry in registry.entries}
    found: Counter[str] = Counter()
    for use in uses.listed:
        if entry := registry.answering(use.name):
            found[tones[entry]] += use.count
    count = percent(found.total(), uses.total, 1)
    said = text("uses_share", language, share=count, uses=f"{uses.total:,}", packages=str(uses.packages))
    parts = [*((each, found[each]) for each in TONES), (REST, uses.total - found.total())]
    return {"said": said, "picture": bar(parts, said), "count": count}


def percent(part: int, whole: int, digits: int) -> str:
    """A share, rounded down: what is not all is never called 100%."""
    scale = 10**digits
    return f"{100 * scale * part // (whole or 1) / scale:.{digits}f}%"


def evidence(registry: RegistryView, language: Language) -> Shown:
    """All counterparts, and what the adapter has itself, by what was verified of them by execution."""
    states = Counter(
        entry.evidence_of(target).state
        for entry in registry.entries
        for target in (entry.targets if entry.evidence is None else (None,))
    )
    shown = texts(language)
    count = text("verified_count", language, verified=str(states["verified"]), all=str(states.total()))
    picture = bar([(each, states[each]) for each in STATES], count)
    return {
        "bars": [{"name": shown["verified_bar"], "picture": picture, "count": count}],
        "legend": [(each, shown[f"evidence_{each}"], states[each]) for each in STATES if states[each]],
    }
