"""M7xx: the canonical layout of an entry's file."""

from __future__ import annotations

from mapspore.base.diagnostics import Place
from mapspore.check.rules.base import Problems, Rule, problem
from mapspore.entry.canonical import canonical, misplaced_comment
from mapspore.resolve.registry import Mapping, Registry


def check_canonical(mapping: Mapping, registry: Registry) -> Problems:
    source = mapping.source
    wanted = canonical(source)
    if wanted is None:
        yield problem("M702", Place(source.path, misplaced_comment(source)))
    elif wanted != source.text:
        pairs = zip(wanted.split("\n"), [*source.text.split("\n"), ""], strict=False)
        line = next((n for n, (one, other) in enumerate(pairs, 1) if one != other), 1)
        yield problem("M701", Place(source.path, line))


RULES = (
    Rule("M701", "entry", check_canonical, fixable=True),
    Rule("M702", "entry"),
)
