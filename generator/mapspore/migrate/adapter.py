"""Adapter mode: imports change to torchspore and the code stays. In: what one file uses. Out: its `Plan`.

A module of torch moves as a whole or not at all within a file: process groups, for instance, belong together. It moves
if the adapter takes every use of it as it stands, here and where other scanned files take it from this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mapspore.migrate.plan import Left, Plan
from mapspore.scan.file_uses import FileUses, Import, Site, Use
from mapspore.scan.findings import covers, refused_in
from mapspore.scan.ruleset import Ruleset

PACKAGE = "torchspore"
Reason = tuple[str, tuple[tuple[str, str], ...]]


class Elsewhere(NamedTuple):
    """A use in another file of a name that it takes from this one."""

    use: Use
    shown: str


def adapter_plan(found: FileUses, rules: Ruleset, elsewhere: Iterable[Elsewhere] = ()) -> Plan:
    """What moves to the adapter, and what has to stay."""
    uses = [use for use in found.uses if not inferred(use, rules)]
    plan = Plan()
    taken = list(elsewhere)
    blocked = _blocked(found, uses, rules, taken)
    movable = {_module(use) for use in uses if use.rule} | {
        _module_of(each.path) for each in found.imports if _covered(each.path, rules)
    }
    movable |= {_module(use) for use, _ in taken if use.rule}
    movable -= set(blocked)
    roots = {(i.line, i.column) for i in found.imports if _is_root(i)}
    by_site: dict[Site, list[Use]] = {}
    for use in uses:
        if use.site is not None:
            by_site.setdefault(use.site, []).append(use)
    for each in found.imports:
        site = (each.line, each.column)
        if site in roots or each.form == "star":
            continue
        served = by_site.get(site, [])
        if rules.api(each.path) is not None:
            moves = _module_of(each.path) in movable and _covered(each.path, rules)
        else:
            moves = all(_module(use) in movable for use in served) and (bool(served) or each.path in movable)
        if moves:
            plan.moved[site] = _adapted(each.path)
    _move_root(plan, found, rules, roots, by_site, movable, blocked)
    moved = {_module(use) for use in uses if use.site is not None and _moves(use, plan)}
    for use in found.uses:
        reason = _stays(use, rules, plan, blocked, moved)
        if reason is not None:
            plan.left.append(Left(use.line, use.column, use.path, *reason))
    return plan


def _moves(use: Use, plan: Plan) -> bool:
    return use.site in plan.moved or use.site in plan.renamed or (use.line, use.column) in plan.heads


def _stays(use: Use, rules: Ruleset, plan: Plan, blocked: dict[str, Reason], moved: set[str]) -> Reason | None:
    """Why a use stays as it is; None if it moves, or goes with what moves elsewhere."""
    if use.via:
        return None
    if inferred(use, rules):
        return ("by_hand", ()) if use.rule and rules.rules[use.rule]["adapter"] == "none" else None
    if not use.rule:
        return ("no_entry", ()) if use.confidence == "certain" else None
    if _module(use) in blocked:
        return _why(use, rules) or blocked[_module(use)]
    if use.site is None and _module(use) not in moved:
        return "indirect", ()
    return None


def _move_root(
    plan: Plan, found: FileUses, rules: Ruleset, roots: set[Site], by_site: dict[Site, list[Use]], movable: set[str],
    blocked: dict[str, Reason],
) -> None:  # fmt: skip
    """`import torch`: renamed if all that it serves moves; otherwise the dotted names that move are, if they can."""
    served = [use for site in sorted(roots) for use in by_site.get(site, ())]
    moving = [use for use in served if _module(use) in movable]
    if not moving:
        return
    if len(moving) == len(served) and not any(site in roots for site, _, _ in found.escapes):
        plan.renamed.update(roots)
        return
    leaving = {_module(use) for use in moving}
    for use in found.uses:  # what goes on by another way than a dotted name stays with torch, and its tensors with it
        if use.site is None and _runs(use, rules) and _module(use) in leaving:
            blocked.setdefault(_module(use), ("escapes", (("line", str(use.line)),)))
    moving = [use for use in moving if _module(use) not in blocked]
    outside = next((each for each in found.imports if each.outside and _is_root(each)), None)
    if PACKAGE in found.bound or outside is not None:
        reason: Reason = ("outside", (("line", str(outside.line)),)) if outside else ("own_name", (("name", PACKAGE),))
        blocked.update((_module(use), reason) for use in moving)
        return
    for use in moving:
        assert use.site is not None
        plan.heads.add((use.line, use.column))
        modules = plan.added.setdefault(use.site, [])
        module = _adapted(_module(use))
        if module not in modules:
            modules.append(module)
    plan.share(found.twins)


def _runs(use: Use, rules: Ruleset) -> bool:
    """Whether a use is, or hands on, something that computes: a call, or a function; not a class in an annotation."""
    if use.via or not use.rule or inferred(use, rules):
        return False
    return use.called or rules.rules[use.rule]["kind"] == "function"


def _blocked(found: FileUses, uses: list[Use], rules: Ruleset, elsewhere: list[Elsewhere]) -> dict[str, Reason]:
    """By module of torch: why it cannot move."""
    blocked: dict[str, Reason] = {}
    for use in uses:
        reason = _why(use, rules)
        if reason is not None:
            blocked.setdefault(_module(use), ("neighbour", (("other", use.path), ("line", str(use.line)))))
    for use, shown in elsewhere:
        if _why(use, rules) is not None:
            blocked.setdefault(_module(use), ("elsewhere", (("other", shown),)))
    for path, line in found.patched_by_name.items():
        blocked.setdefault(_module_of(path), ("escapes", (("line", str(line)),)))
    aliases: dict[Site, Import] = {}
    for each in found.imports:
        if each.form == "star":
            blocked.setdefault(each.path, ("star", ()))
        elif not _is_root(each) and rules.api(each.path) is None:
            aliases[(each.line, each.column)] = each
    served: dict[Site, dict[str, Use]] = {site: {} for site in aliases}
    """By import of an alias: the modules that are used through it, each with the last use."""
    for use in uses:
        if use.site in served:
            served[use.site][_module(use)] = use
    for site, line in {site: line for site, line, _ in reversed(found.escapes)}.items():  # the first of each
        if site in aliases:
            for module in {aliases[site].path, *served[site]}:
                blocked.setdefault(module, ("escapes", (("line", str(line)),)))
    changed = True
    while changed:  # an alias of a module moves as a whole
        changed = False
        for modules in served.values():
            stays = next((use for module, use in modules.items() if module in blocked), None)
            if stays is not None:
                for module in modules:
                    if module not in blocked:
                        blocked[module] = ("neighbour", (("other", stays.path), ("line", str(stays.line))))
                        changed = True
    return blocked


def _why(use: Use, rules: Ruleset) -> Reason | None:
    """Why the adapter does not take a use as it stands; None if it does."""
    if not use.rule:
        return "no_entry", ()
    rule = rules.rules[use.rule]
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


def _covered(path: str, rules: Ruleset) -> bool:
    api = rules.api(path)
    return api is not None and api.rule is not None and api.rule["adapter"] == "covers" and path in api.rule["offers"]


def _is_root(each: Import) -> bool:
    """Whether an import binds `torch` itself, so that dotted names show what is meant."""
    return each.form == "import" and each.name == "torch"


def inferred(use: Use, rules: Ruleset) -> bool:
    """Whether a use is a method of a value instead of an imported name."""
    kind = rules.known[use.path][0] if use.path in rules.known else rules.rules.get(use.path, {}).get("kind")
    return use.site is None and not use.via and kind in ("method", "property")


def _module(use: Use) -> str:
    return _module_of(use.path)


def _module_of(path: str) -> str:
    return path.rpartition(".")[0]


def _adapted(path: str) -> str:
    return PACKAGE + path.removeprefix("torch")


def taken_elsewhere(found: Iterable[tuple[str, FileUses]]) -> Iterator[tuple[str, Elsewhere]]:
    """By scanned module: the uses in other files of what they take from it."""
    for shown, each in found:
        for use in each.uses:
            if use.via:
                yield use.via, Elsewhere(use, shown)
