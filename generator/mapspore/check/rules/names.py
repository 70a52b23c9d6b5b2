"""M3xx: the names of an entry: its path, both frameworks' names, and that no two entries claim one."""

from __future__ import annotations

import re
from typing import get_args

from mapspore.base.diagnostics import Diagnostic
from mapspore.check.rules.base import Problems, Rule, alike, listed, nearest, problem
from mapspore.entry.model import Platform
from mapspore.facts.naming import module_of
from mapspore.facts.snapshot import Api, Facts
from mapspore.resolve.registry import Mapping, Registry

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+\Z")
FOLDER = "mappings"
UNLIKELY = (
    "mindspore.COOTensor.",
    "mindspore.CSRTensor.",
    "mindspore.RowTensor.",
    "mindspore.numpy.",
    "mindspore.scipy.",
)
"""What has torch's names too, but is hardly meant: sparse tensors, and the interfaces of NumPy and SciPy."""
Steps = tuple[str | int, ...]
ALONE = ("unmapped", "answers", "unneeded")
"""What stands in the place of targets."""
PLATFORMS: tuple[str, ...] = get_args(Platform)


def entry_path(torch: str) -> str:
    """Where the entry of a torch API lies."""
    return f"{FOLDER}/{torch.replace('.', '/')}.yaml"


def well_formed(name: str) -> bool:
    return _NAME.match(name) is not None


def check_path(mapping: Mapping, registry: Registry) -> Problems:
    """An entry lies where its name says; a name that torch does not have, in the file of one that it has, is M302's."""
    wanted = entry_path(mapping.name)
    if mapping.api is None and _called_after(mapping) in registry.torch:
        return
    if well_formed(mapping.name) and not ("/" + mapping.source.path).endswith("/" + wanted):
        yield problem("M301", mapping.source.place("torch"), name=mapping.name, wanted=wanted)


def _called_after(mapping: Mapping) -> str:
    """The name that an entry's path spells."""
    below = f"/{mapping.source.path}".rpartition(f"/{FOLDER}/")[2]
    return below.removesuffix(".yaml").replace("/", ".")


def check_torch_name(mapping: Mapping, registry: Registry) -> Problems:
    if mapping.api is None and well_formed(mapping.name):
        yield _unknown("M302", mapping, ("torch",), mapping.name, registry.torch, _called_after(mapping))


def check_mindspore_names(mapping: Mapping, registry: Registry) -> Problems:
    facts = registry.mindspore
    for index, counterpart in enumerate(mapping.counterparts):
        target = counterpart.target
        for key, name in (("mindspore", target.mindspore), ("successor", target.successor)):
            if name is not None and name not in facts and well_formed(name):
                yield _unknown("M303", mapping, ("targets", index, key), name, facts)


def _unknown(code: str, mapping: Mapping, steps: Steps, name: str, facts: Facts, first: str = "") -> Diagnostic:
    """A name that is no API of its own: not there at all, or there and private, a module or another name of an API."""
    place, status = mapping.source.place(*steps), facts.status(name)
    values = {"name": name, "version": facts.version}
    if status == "public":
        home = facts.resolve(name) or name.rpartition(".")[0]
        return problem(code, place, "elsewhere", **values, home=home)
    if status == "uncovered":
        return problem(code, place, status, **values, module=module_of(name, facts.modules))
    if status != "absent":
        return problem(code, place, status, **values)
    near = list(dict.fromkeys([*([first] if first in facts else []), *nearest(name, facts.names)]))
    return problem(code, place, "near" if near else "", **values, near=listed(near))


def check_claims(mapping: Mapping, registry: Registry) -> Problems:
    """Two entries for one API or alias; the second one, by path, is reported."""
    entry = mapping.entry
    claimed: list[tuple[str, Steps]] = [(entry.torch, ("torch",))]
    claimed += [(alias, ("aliases", index)) for index, alias in enumerate(entry.aliases)]
    for name, steps in claimed:
        owner = registry.by_name.get(registry.torch.resolve(name) or name, registry.by_name[name])
        if owner.source.path != mapping.source.path:
            yield problem("M304", mapping.source.place(*steps), name=name, other=owner.source.path)


def check_form(mapping: Mapping, registry: Registry) -> Problems:
    entry, source = mapping.entry, mapping.source
    named: list[tuple[str, Steps]] = [(entry.torch, ("torch",))]
    named += [(n, ("aliases", i)) for i, n in enumerate(entry.aliases)]
    named += [(n, ("related", i)) for i, n in enumerate(entry.related)]
    for index, target in enumerate(entry.targets):
        named.append((target.mindspore, ("targets", index, "mindspore")))
        if target.successor is not None:
            named.append((target.successor, ("targets", index, "successor")))
    for name, steps in named:
        if not well_formed(name):
            yield problem("M305", source.place(*steps), name=name)


def check_targets(mapping: Mapping, registry: Registry) -> Problems:
    entry, seen = mapping.entry, dict[str, str]()
    for index, counterpart in enumerate(mapping.counterparts):
        if counterpart.id in seen:
            place = mapping.source.place("targets", index, "mindspore")
            yield problem("M306", place, id=counterpart.id, other=seen[counterpart.id])
        seen.setdefault(counterpart.id, counterpart.target.mindspore)
    stated = [key for key in ALONE if key in entry.model_fields_set]
    if not entry.targets and not stated and entry.runtime is None:
        yield problem("M307", mapping.source.place("torch"), "neither")
    for other in stated if entry.targets else stated[1:]:
        first = "targets" if entry.targets else stated[0]
        yield problem("M307", mapping.source.place(other, key=True), "both", first=first, other=other)
    answered = [key for key in ALONE[1:] if key in stated and entry.runtime is not None]
    yield from (problem("M307", mapping.source.place(k, key=True), "both", first="runtime", other=k) for k in answered)
    if isinstance(entry.answers, dict) and (missing := [each for each in PLATFORMS if each not in entry.answers]):
        yield problem("M307", mapping.source.place("answers", key=True), "platforms", missing=listed(missing))
    for other in (*ALONE, "runtime") if entry.migrate is not None else ():
        if other in entry.model_fields_set:
            yield problem("M307", mapping.source.place("migrate", key=True), "rewritten", other=other)


def check_related(mapping: Mapping, registry: Registry) -> Problems:
    """Aliases and related APIs exist in torch; an alias is no home of something else."""
    for key, names in (("aliases", mapping.entry.aliases), ("related", mapping.entry.related)):
        for index, name in enumerate(names):
            if well_formed(name) and name not in registry.torch:
                yield _unknown("M302", mapping, (key, index), name, registry.torch)


def check_repeated(mapping: Mapping, registry: Registry) -> Problems:
    """An entry names itself once, and each of the others once."""
    for key, names in (("aliases", mapping.entry.aliases), ("related", mapping.entry.related)):
        for index, name in enumerate(names):
            place = mapping.source.place(key, index)
            if name == mapping.name:
                yield problem("M310", place, "itself", name=name, key=key)
            elif name in names[:index]:
                yield problem("M310", place, "twice", name=name, key=key)


def check_kinds(mapping: Mapping, registry: Registry) -> Problems:
    """A class stands for a class, a property for a property; only a function can stand for a method."""
    called = mapping.api is not None and mapping.port != "rewrite"
    for index, counterpart in enumerate(mapping.counterparts if called else ()):
        api = counterpart.api
        if mapping.api is not None and api is not None and not alike(mapping.api, api):
            near = listed(_namesakes(mapping.api, registry.mindspore))
            place = mapping.source.place("targets", index, "mindspore")
            values = {"torch": mapping.name, "kind": mapping.api.kind, "mindspore": api.name, "other": api.kind}
            yield problem("M308", place, "near" if near else "", **values, near=near)


def _namesakes(api: Api, facts: Facts) -> list[str]:
    """The APIs of the same name that are used the same way."""
    last = _spelled(api.name)
    found = [name for name in facts.names if _spelled(name) == last]
    fitting = [name for name in found if (other := facts.get(name)) and alike(api, other)]
    return sorted(fitting, key=lambda name: name.startswith(UNLIKELY))[:3]


def _spelled(name: str) -> str:
    return name.rpartition(".")[2].replace("_", "").lower()


RULES = (
    Rule("M301", "entry", check_path, works_on_partial_entry=True),
    Rule("M302", "entry", check_torch_name, works_on_partial_entry=True),
    Rule("M302", "entry", check_related),
    Rule("M303", "entry", check_mindspore_names, works_on_partial_entry=True),
    Rule("M304", "registry", check_claims),
    Rule("M305", "entry", check_form, works_on_partial_entry=True),
    Rule("M306", "entry", check_targets),
    Rule("M307", "entry"),
    Rule("M308", "entry", check_kinds),
    Rule("M310", "entry", check_repeated, works_on_partial_entry=True),
)
