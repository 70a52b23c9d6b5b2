"""Direct mode: calls are rewritten to MindSpore's API where that is exact; the rest gets a comment and stays.

In go what one file uses, which of it changes, and the registry; out comes its `Plan`. Exact is a call of a name that is
certain, all of whose differences a rename, another place, a converted value or a written default mends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mapspore.base.language import Language
from mapspore.migrate.adapter import inferred
from mapspore.migrate.flows import FileFlow
from mapspore.migrate.plan import Note, Plan, Rewrite, Span
from mapspore.migrate.verdict import Reason
from mapspore.resolve.registry import Registry
from mapspore.scan.codes import CANNOT_TELL
from mapspore.scan.file_uses import Use
from mapspore.scan.findings import exact, met_by, open_words, switched_off
from mapspore.scan.ruleset import Ruleset

PACKAGE = "mindspore"


def direct_plan(
    flow: FileFlow, rules: Ruleset, registry: Registry, language: Language, moving: Iterable[int], shared: bool,
    ignores: Mapping[str, list[str]],
) -> Plan:  # fmt: skip
    """Which calls become MindSpore's, and which get a comment; `shared` if other files take names from this one."""
    plan = Plan()
    found = flow.found
    moves = set(moving)
    told: set[tuple[str, str]] = set()
    for number, use in enumerate(found.uses):
        if number in moves:
            if use.rule and rules.rules[use.rule]["kind"] == "constant":
                if rules.rules[use.rule]["counterpart"] and not use.rest:
                    plan.dtypes[_span(use)] = rules.rules[use.rule]["counterpart"]
            elif _is_constant(use):
                plan.constants.add(_span(use))
            elif not inferred(use, rules):
                _add(plan, use, rules, registry)
        elif use.rule:
            met = _met(use, rules, language)
            notes = [Note(code, use.path, text) for code, text in met if not switched_off(code, use.line, ignores)]
            fresh = [note for note in notes if (note.code, note.torch) not in told]
            told.update((note.code, note.torch) for note in notes)
            if fresh:
                plan.notes[_span(use)] = fresh
    if plan.rewrites and not shared:
        sites = {(each.line, each.column): each.name for each in found.imports}
        plan.spare = {site: sites[site] for site in plan.added}
    plan.share(found.twins)
    return plan


def _add(plan: Plan, use: Use, rules: Ruleset, registry: Registry) -> None:
    assert use.site is not None
    plan.rewrites[_span(use)] = _rewrite(use, rules, registry)
    modules = plan.added.setdefault(use.site, [])
    module = rules.rules[use.rule]["counterpart"].rpartition(".")[0]
    if module not in modules:
        modules.append(module)


def _met(use: Use, rules: Ruleset, language: Language) -> list[tuple[str, str]]:
    """The differences that a use meets: codes and sentences."""
    met = [(check["code"], check[language]) for check, _ in met_by(use, rules.rules[use.rule])]
    return [*met, (CANNOT_TELL, open_words(use)[language])] if use.open else met


def why_not_direct(flow: FileFlow, number: int, rules: Ruleset, platform: str | None) -> Reason | None:
    """Why a use cannot be rewritten to MindSpore's API; None if it can. `platform`: where a kernel is needed."""
    use, found = flow.found.uses[number], flow.found
    if not use.rule:
        return "no_entry", ()
    rule = rules.rules[use.rule]
    if rule["kind"] == "constant":  # written out as an argument of a call that is rewritten; elsewhere the edit fails
        return None if rule["counterpart"] and not use.rest else ("inexact", ())
    met = _met(use, rules, "en")
    if met and not exact(use, rule):
        return "different", (("codes", ", ".join(dict.fromkeys(code for code, _ in met))),)
    if platform in rule["no_kernel"]:
        return "no_kernel", (("target", rule["counterpart"]), ("platform", platform or ""))
    if inferred(use, rules):  # MindSpore's own objects have it under the same name
        same = rule["counterpart"] == f"mindspore.{use.path.removeprefix('torch.')}"
        return None if same else ("inexact", ())
    if PACKAGE in found.bound:
        return "own_name", (("name", PACKAGE),)
    if use.confidence != "certain":
        return "uncertain", ()
    if not exact(use, rule):
        if _is_constant(use):  # a call that changes may take it in another form; elsewhere the edit fails
            return None
        return ("inexact" if use.called and use.site else "indirect"), ()
    outside = next((each for each in found.imports if each.outside and (each.line, each.column) == use.site), None)
    if outside is not None:  # one beside it would be local
        return "outside", (("line", str(outside.line)),)
    return None


def _is_constant(use: Use) -> bool:
    """Whether a use is a constant of a class, such as `ReduceOp.SUM`."""
    return bool(use.rest) and not use.called and use.site is not None


def _rewrite(use: Use, rules: Ruleset, registry: Registry) -> Rewrite:
    rule = rules.rules[use.rule]
    counterpart = registry.by_name[use.rule].preferred()
    assert counterpart is not None
    explicit = tuple(check["parameter"] for check, _ in met_by(use, rule) if check["when"][0] == "omitted")
    target = counterpart.target
    return Rewrite(use.path, target.mindspore, counterpart.bindings[use.form], explicit, target.dtypes)


def _span(use: Use) -> Span:
    return (use.line, use.column, use.end_line, use.end_column)
