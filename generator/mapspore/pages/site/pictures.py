"""Coverage and evidence as bars: numbers of the registry in, SVG out.

A bar is stretched by the page that it stands in and takes its colours from there, so it follows width, light and dark;
names and numbers stand beside it as text. The same registry gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from mapspore.pages.site.chips import evidence_of, tone
from mapspore.pages.site.listing import STATES, by_module
from mapspore.pages.site.texts import text, texts
from mapspore.resolve.registry import Registry
from mapspore.text.markup import breakable
from mapspore.text.phrases import Language

TONES = ("agrees", "loud", "silent", "none")
REST = "rest"
SHOWN = 9
"""How many modules the picture shows."""


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    url: str
    """Where its page is, if there is one."""
    picture: str
    count: str


@dataclass(frozen=True, slots=True)
class Key:
    """A colour of the legend."""

    tone: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Picture:
    bars: tuple[Bar, ...]
    legend: tuple[Key, ...]


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


def coverage(registry: Registry, language: Language) -> Picture:
    """By torch module: how many of its public names have an entry, and with which verdicts."""
    public = Counter(name.rpartition(".")[0] for name in registry.torch.names)
    tones: dict[str, Counter[str]] = {}
    for name in registry.torch.names:
        if name in registry.claims:
            tones.setdefault(name.rpartition(".")[0], Counter())[tone(registry.claims[name].verdict)] += 1
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
        bars.append(Bar(breakable(module), url, bar(parts, f"{module}: {count}"), count))
    verdicts = Counter(tone(mapping.verdict) for mapping in registry.mappings)
    shown = texts(language)
    legend = [Key(each, shown[f"tone_{each}"], verdicts[each]) for each in TONES]
    return Picture(tuple(bars), tuple(legend))


def evidence(registry: Registry, language: Language) -> Picture:
    """All counterparts by what was verified of them by execution."""
    states: Counter[str] = Counter()
    for mapping in registry.mappings:
        for counterpart in mapping.counterparts or (None,):
            states[evidence_of(mapping, counterpart).state] += 1
    shown = texts(language)
    count = text("verified_count", language, verified=str(states["verified"]), all=str(states.total()))
    bars = (Bar(shown["verified_bar"], "", bar([(each, states[each]) for each in STATES], count), count),)
    legend = tuple(Key(each, shown[f"evidence_{each}"], states[each]) for each in STATES if states[each])
    return Picture(bars, legend)
