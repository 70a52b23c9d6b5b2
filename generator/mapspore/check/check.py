"""Stage 4, check: a registry in, diagnostics out. Runs every rule of `rules.RULES` over every mapping."""

from __future__ import annotations

from collections.abc import Iterable

from mapspore.base.diagnostics import Diagnostic
from mapspore.check.rules import ALLOWABLE, CODES, RULES
from mapspore.check.rules.base import listed, problem
from mapspore.resolve.registry import Mapping, Registry

_CHECKS = tuple(rule.check for rule in RULES if rule.check is not None)
_CHECKS_OF_PARTS = tuple(rule.check for rule in RULES if rule.check is not None and rule.works_on_partial_entry)


def check(registry: Registry) -> list[Diagnostic]:
    """All problems of the registry."""
    return [problem for mapping in registry.mappings for problem in check_mapping(mapping, registry)]


def check_mapping(mapping: Mapping, registry: Registry) -> list[Diagnostic]:
    found = [diagnostic for find in _CHECKS for diagnostic in find(mapping, registry)]
    return list(_after_exceptions(mapping, found)) if mapping.entry.allow else found


def check_damaged(mapping: Mapping, registry: Registry) -> list[Diagnostic]:
    """The further problems of an entry that did not parse: those that a part shows by itself."""
    return [diagnostic for find in _CHECKS_OF_PARTS for diagnostic in find(mapping, registry)]


def _after_exceptions(mapping: Mapping, found: list[Diagnostic]) -> Iterable[Diagnostic]:
    """Drops what the entry excepts itself from; an exception that nothing needs is a problem itself."""
    allowed = {code for code in mapping.entry.allow if code in ALLOWABLE}
    for code in mapping.entry.allow:
        place = mapping.source.place("allow", code, key=True)
        if code not in CODES:
            yield problem("M603", place, "unknown", check=code)
        elif code not in ALLOWABLE:
            yield problem("M603", place, "never", check=code, allowable=listed(sorted(ALLOWABLE)))
        elif not any(diagnostic.code == code for diagnostic in found):
            yield problem("M603", place, check=code)
    yield from (diagnostic for diagnostic in found if diagnostic.code not in allowed)
