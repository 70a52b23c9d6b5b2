"""Adapter mode: imports change to torchspore and the code stays. In: what one file uses, and which of it moves. Out:
its `Plan`.

An import moves if all that it brings does. Of `import torch` the dotted names that move can change by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from mapspore.migrate.flows import PACKAGE, FileFlow, root_sites, separable
from mapspore.migrate.plan import Left, Plan
from mapspore.migrate.verdict import Reason
from mapspore.scan.file_uses import Site, Use
from mapspore.scan.findings import covers, met_by, refused_in
from mapspore.scan.ruleset import Ruleset


def adapter_plan(flow: FileFlow, rules: Ruleset, moving: Iterable[int], lent: bool | None = None) -> Plan:
    """What changes in a file so that some of its uses move. `lent`: whether what other files take from here moves; None
    if they take nothing."""
    found = flow.found
    plan = Plan()
    moves = set(moving)
    stays = set(range(len(found.uses))) - moves - flow.annotations
    kept = [number for number in sorted(flow.annotations) if not stays or moves]
    moves.update(number for number in kept if lacks(found.uses[number], rules) is None)
    by_site: dict[Site, list[int]] = {}
    for number, use in enumerate(found.uses):
        if use.site is not None and not (number in flow.annotations and flow.unevaluated):
            by_site.setdefault(use.site, []).append(number)
    roots = root_sites(found)
    for each in found.imports:
        site = (each.line, each.column)
        if site in roots or each.form == "star" or lent is False:
            continue
        served = by_site.get(site)
        if served:
            moved = all(number in moves for number in served)
        elif rules.api(each.path) is None:
            moved = lent is True
        else:
            moved = _covered(each.path, rules) and not stays
        if moved:
            plan.moved[site] = _adapted(each.path)
    _move_root(plan, flow, roots, by_site, moves, lent)
    if moves - flow.annotations:
        for number in kept:
            use = found.uses[number]
            if number not in moves and use.site is not None and not flow.unevaluated:
                plan.left.append(Left(use.line, use.column, use.path, "annotation"))
    return plan


def _move_root(
    plan: Plan, flow: FileFlow, roots: frozenset[Site], by_site: dict[Site, list[int]], moves: set[int],
    lent: bool | None,
) -> None:  # fmt: skip
    """`import torch`: renamed if all that it serves moves; otherwise the dotted names that move are, if they can."""
    served = [number for site in sorted(roots) for number in by_site.get(site, ())]
    changing = [number for number in served if number in moves]
    if lent is False or not (changing or (lent and roots)):
        return
    if len(changing) == len(served) and not any(site in roots for site in flow.escapes.values()):
        plan.renamed.update(roots)
        return
    if lent or not separable(flow.found):
        return
    for number in changing:
        use = flow.found.uses[number]
        assert use.site is not None
        plan.heads.add((use.line, use.column))
        modules = plan.added.setdefault(use.site, [])
        module = _adapted(_module_of(use.path))
        if module not in modules:
            modules.append(module)
    plan.share(flow.found.twins)


def why_not_adapted(flow: FileFlow, number: int, rules: Ruleset) -> Reason | None:
    """Why a use cannot move to the adapter as it stands; None if it can."""
    use = flow.found.uses[number]
    reason = lacks(use, rules)
    if reason is not None:
        return reason
    if inferred(use, rules):
        return None
    if use.site is None and not use.via:
        module = _module_of(use.path)
        if any(each.form == "star" and each.path == module for each in flow.found.imports):
            return "star", ()
    return None


def lacks(use: Use, rules: Ruleset) -> Reason | None:
    """Why the adapter does not take a use; None if it does."""
    if use.path in rules.members:
        return None
    if not use.rule:
        return "no_entry", ()
    rule = rules.rules[use.rule]
    if inferred(use, rules):  # the method of MindSpore's own object is called
        if rule["adapter"] == "none":
            return "by_hand", ()
        sure = [check for check, how in met_by(use, rule) if how != "at_run_time"]
        met = [check["code"] for check in sure if check["severity"] in _WRONG]
        if met:
            return "different", (("codes", ", ".join(dict.fromkeys(met))),)
    if covers(use, rule):
        return None
    if rule["adapter"] == "raises":
        return "raises", ()
    if use.open == ["class"]:
        return "subclass", ()
    if use.open[:1] == ["*"]:
        return "signature", ()
    refused = refused_in(use, rule)
    if refused is None:
        return "no_adapter", ()
    return ("refused", (("names", ", ".join(refused)),)) if refused else ("together", ())


_WRONG = ("breaks", "silent")


def _covered(path: str, rules: Ruleset) -> bool:
    api = rules.api(path)
    return api is not None and api.rule is not None and api.rule["adapter"] == "covers" and path in api.rule["offers"]


def inferred(use: Use, rules: Ruleset) -> bool:
    """Whether a use is a method of a value instead of an imported name."""
    kind = rules.known[use.path][0] if use.path in rules.known else rules.rules.get(use.path, {}).get("kind")
    return use.site is None and not use.via and kind in ("method", "property")


def _module_of(path: str) -> str:
    return path.rpartition(".")[0]


def _adapted(path: str) -> str:
    return PACKAGE + path.removeprefix("torch")
