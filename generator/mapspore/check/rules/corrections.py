"""M60x about documents: successors of deprecated APIs, and mistakes of the source document that an entry corrects."""

from __future__ import annotations

import re

from mapspore.check.rules.base import Problems, Rule, listed, problem
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


RULES = (
    Rule("M601", "entry", check_successor),
    Rule("M602", "entry"),
    Rule("M604", "entry", check_corrections),
    Rule("M607", "entry"),
    Rule("M608", "entry"),
)
