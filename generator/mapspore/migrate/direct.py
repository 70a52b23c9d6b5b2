"""Direct mode: calls are rewritten to MindSpore's API where that is exact; the rest gets a comment and stays.

In go what one file uses and the registry; out comes its `Plan`. Exact is a call of a name that is certain, all of whose
differences a rename, another place, a converted value or a written default mends.
"""

from __future__ import annotations

from collections.abc import Mapping

from mapspore.base.language import Language
from mapspore.migrate.adapter import inferred
from mapspore.migrate.plan import Left, Note, Plan, Rewrite, Span
from mapspore.resolve.registry import Registry
from mapspore.scan.codes import CANNOT_TELL
from mapspore.scan.file_uses import FileUses, Use
from mapspore.scan.findings import exact, met_by, open_words, switched_off
from mapspore.scan.ruleset import Ruleset

PACKAGE = "mindspore"


def direct_plan(
    found: FileUses, rules: Ruleset, registry: Registry, language: Language, shared: bool,
    ignores: Mapping[str, list[str]],
) -> Plan:  # fmt: skip
    """Which calls become MindSpore's, and which get a comment; `shared` if other files take names from this one."""
    plan = Plan()
    outside = {(each.line, each.column) for each in found.imports if each.outside}  # one beside it would be local
    taken = PACKAGE in found.bound
    for use in found.uses:
        if not use.rule:
            if use.confidence == "certain":
                plan.left.append(Left(use.line, use.column, use.path, "no_entry"))
            continue
        rule = rules.rules[use.rule]
        if rule["kind"] == "constant":  # it goes with the call that it is an argument of
            if rule["counterpart"] and not use.rest:
                plan.dtypes[_span(use)] = rule["counterpart"]
            continue
        if exact(use, rule) and not taken and use.site is not None and use.site not in outside:
            plan.rewrites[_span(use)] = _rewrite(use, rules, registry)
            modules = plan.added.setdefault(use.site, [])
            module = rule["counterpart"].rpartition(".")[0]
            if module not in modules:
                modules.append(module)
            continue
        met = [(check["code"], check[language]) for check, _ in met_by(use, rule)]
        if use.open:
            met.append((CANNOT_TELL, open_words(use)[language]))
        notes = [Note(code, use.path, text) for code, text in met if not switched_off(code, use.line, ignores)]
        if notes:
            plan.notes[_span(use)] = notes
        plan.left.append(_left(use, met, taken, rules))
    if plan.rewrites and not shared:
        sites = {(each.line, each.column): each.name for each in found.imports}
        plan.spare = {site: sites[site] for site in plan.added}
    plan.share(found.twins)
    return plan


def _left(use: Use, met: list[tuple[str, str]], taken: bool, rules: Ruleset) -> Left:
    place = (use.line, use.column, use.path)
    if met:
        return Left(*place, "different", (("codes", ", ".join(dict.fromkeys(code for code, _ in met))),))
    if taken:
        return Left(*place, "own_name", (("name", PACKAGE),))
    if use.confidence != "certain" or inferred(use, rules):
        return Left(*place, "uncertain")
    return Left(*place, "indirect")


def _rewrite(use: Use, rules: Ruleset, registry: Registry) -> Rewrite:
    rule = rules.rules[use.rule]
    counterpart = registry.by_name[use.rule].preferred()
    assert counterpart is not None
    explicit = tuple(check["parameter"] for check, _ in met_by(use, rule) if check["when"][0] == "omitted")
    target = counterpart.target
    return Rewrite(use.path, target.mindspore, counterpart.bindings[use.form], explicit, target.dtypes)


def _span(use: Use) -> Span:
    return (use.line, use.column, use.end_line, use.end_column)
