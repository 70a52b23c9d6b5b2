"""M605, M606, M610, M611 and M609: the example beside an entry, and whether its evidence still holds."""

from __future__ import annotations

import ast

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.cases.ported import ported
from mapspore.check.rules.base import Problems, Rule, listed, problem
from mapspore.entry.load import AFTER, BEFORE, EXAMPLE_SUFFIXES, SUFFIX
from mapspore.resolve.registry import Mapping, Registry


def check_examples(mapping: Mapping, registry: Registry) -> Problems:
    stem = mapping.source.path.removesuffix(SUFFIX)
    examples = mapping.source.examples
    for suffix, text in examples.items():
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", 1) or 1
            column = getattr(error, "offset", 1) or 1
            yield problem("M605", Place(stem + suffix, line, max(column, 1)))
    derived = mapping.has_adapter and not mapping.only_raises
    if AFTER in examples and BEFORE not in examples:
        yield problem("M606", Place(stem + AFTER), lacking=stem + BEFORE)
    elif BEFORE in examples and AFTER not in examples and not derived:
        yield problem("M606", Place(stem + BEFORE), "underived", lacking=stem + AFTER)
    elif derived and AFTER in examples and examples[AFTER] == ported(examples[BEFORE], mapping.name):
        yield problem("M611", Place(stem + AFTER))
    if mapping.port == "rewrite" and not examples:
        pair = listed(stem + suffix for suffix in EXAMPLE_SUFFIXES)
        yield problem("M610", mapping.source.place("migrate", key=True), pair=pair)


def check_evidence(mapping: Mapping, registry: Registry) -> Problems:
    """Stale evidence is a warning, for it is no fault of the entry; missing evidence is not reported."""
    if mapping.evidence.entry_state == "stale":
        yield Diagnostic("M609", mapping.source.place("torch"), (("name", mapping.name),), severity="warning")


RULES = (
    Rule("M605", "entry", check_examples),
    Rule("M606", "entry"),
    Rule("M609", "entry", check_evidence),
    Rule("M610", "entry"),
    Rule("M611", "entry"),
)
