"""M605, M606, M610 and M609: the example beside an entry, and whether its evidence still holds."""

from __future__ import annotations

import ast

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.check.rules.base import Problems, Rule, listed, problem
from mapspore.entry.load import EXAMPLE_SUFFIXES, SUFFIX
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
    if examples and len(examples) < len(EXAMPLE_SUFFIXES):
        lacking = next(suffix for suffix in EXAMPLE_SUFFIXES if suffix not in examples)
        yield problem("M606", Place(stem + next(iter(examples))), lacking=stem + lacking)
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
)
