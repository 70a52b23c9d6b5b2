"""M6xx: deprecations, corrections, exceptions and examples; M7xx: the form of the file."""

from __future__ import annotations

import ast
import re

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.check.rules.base import Problems, Rule, listed, problem
from mapspore.entry.canonical import canonical, misplaced_comment
from mapspore.entry.load import EXAMPLE_SUFFIXES, SUFFIX
from mapspore.entry.model import Correction
from mapspore.resolve.registry import Counterpart, Mapping, Registry

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\]+\Z")


def check_successor(mapping: Mapping, registry: Registry) -> Problems:
    for index, counterpart in enumerate(mapping.counterparts):
        api, target = counterpart.api, counterpart.target
        if api is None:
            continue
        if api.deprecated is not None and counterpart.successor is None:
            at = mapping.source.place("targets", index, "mindspore")
            yield problem("M601", at, name=target.mindspore, since=api.deprecated.since or "?")
        if target.successor is not None:
            at = mapping.source.place("targets", index, "successor", key=True)
            if api.deprecated is None:
                yield problem("M602", at, "current", name=target.mindspore)
            elif counterpart.successor != target.successor:
                yield problem("M602", at, "stated", name=target.mindspore, stated=counterpart.successor or "")


def check_corrections(mapping: Mapping, registry: Registry) -> Problems:
    entry = mapping.entry
    if entry.corrects and entry.source is None:
        yield problem("M604", mapping.source.place("corrects", key=True))
    if entry.source is not None and not _ADDRESS.match(entry.source):
        yield problem("M608", mapping.source.place("source"), source=entry.source)
    ids = [counterpart.id for counterpart in mapping.counterparts]
    for index, correction in enumerate(entry.corrects):
        if (correction.en is None) != (correction.zh is None):
            lacking = "en" if correction.en is None else "zh"
            place = mapping.source.place("corrects", index)
            yield problem("M201", place, language=lacking, where=f"corrects[{index}]")
            continue
        derived = correction.claims is not None or correction.default is not None
        if derived == (correction.en is not None and correction.zh is not None):
            yield problem("M607", mapping.source.place("corrects", index), "both" if derived else "text")
        if correction.target is not None and correction.target not in ids:
            place = mapping.source.place("corrects", index, "target")
            yield problem("M607", place, "target", target=correction.target, known=listed(ids))
        elif derived:
            counterpart = mapping.counterpart(correction.target)
            if counterpart is not None and (said := still_true(counterpart, correction)):
                yield problem("M607", mapping.source.place("corrects", index), said, about=correction.about)


def still_true(counterpart: Counterpart, correction: Correction) -> str:
    """The reason why a claimed mistake is none: the parameter is unknown, or the claim holds."""
    row = next((row for row in counterpart.rows if row.torch == correction.about), None)
    if row is None:
        return "unknown"
    if correction.claims is not None and correction.claims is row.kind:
        return "holds"
    if correction.default is not None:
        assert counterpart.api is not None
        defaults = {p.name: p.default for form in counterpart.api.forms for p in form.parameters}
        if any(defaults.get(name) == correction.default for name in row.mindspore):
            return "holds"
    return ""


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


def check_canonical(mapping: Mapping, registry: Registry) -> Problems:
    source = mapping.source
    wanted = canonical(source)
    if wanted is None:
        yield problem("M702", Place(source.path, misplaced_comment(source)))
    elif wanted != source.text:
        pairs = zip(wanted.split("\n"), [*source.text.split("\n"), ""], strict=False)
        line = next((n for n, (one, other) in enumerate(pairs, 1) if one != other), 1)
        yield problem("M701", Place(source.path, line))


def check_evidence(mapping: Mapping, registry: Registry) -> Problems:
    """No fault of the entry, so a warning; that nothing was run yet is not even that."""
    if mapping.evidence.entry_state == "stale":
        yield Diagnostic("M609", mapping.source.place("torch"), (("name", mapping.name),), severity="warning")


RULES = (
    Rule("M601", "entry", check_successor),
    Rule("M602", "entry"),
    Rule("M604", "entry", check_corrections),
    Rule("M605", "entry", check_examples),
    Rule("M606", "entry"),
    Rule("M607", "entry"),
    Rule("M608", "entry"),
    Rule("M609", "entry", check_evidence),
    Rule("M610", "entry"),
    Rule("M701", "entry", check_canonical, fixable=True),
    Rule("M702", "entry"),
)
