"""M605, M606, M610, M611, M613 and M609: the programs beside an entry, and whether its evidence still holds."""

from __future__ import annotations

import ast

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.cases.ported import ported
from mapspore.cases.single.program_cases import mistaken_heads, program_cases
from mapspore.check.rules.base import Problems, Rule, listed, problem
from mapspore.entry.load import AFTER, BEFORE, CASES, EXAMPLE, SUFFIX
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
    if mapping.port == "rewrite" and BEFORE not in examples and AFTER not in examples:
        pair = listed(stem + suffix for suffix in EXAMPLE)
        yield problem("M610", mapping.source.place("migrate", key=True), pair=pair)


def check_cases(mapping: Mapping, registry: Registry) -> Problems:
    """The programs that are the cases of an entry; one that does not parse is told of already."""
    text = mapping.source.examples.get(CASES)
    if text is None or not _parses(text):
        return
    path = mapping.source.path.removesuffix(SUFFIX) + CASES
    if mapping.port != "runtime":
        yield problem("M613", Place(path), "unused")
        return
    cases = program_cases(text)
    if not cases:
        yield problem("M613", Place(path))
    for line in mistaken_heads(text):
        yield problem("M613", Place(path, line), "head")
    known: set[str] = set()
    for case in cases:
        if case.name in known:
            yield problem("M613", Place(path, case.line), "twice", name=case.name)
        if not case.has_result:
            yield problem("M613", Place(path, case.line), "result", name=case.name)
        known.add(case.name)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


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
    Rule("M613", "entry", check_cases),
)
