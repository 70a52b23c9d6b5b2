"""Compile: a resolved registry goes in, the `Ruleset` comes out: plain data that says what to look for.

Each rule is read off the mapping: the differences are those that `resolve.differences` finds for the page, one list per
call form of torch, each with the condition under which a call meets it (`conditions.py`). Nothing here is typed by
anyone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mapspore.adapter.layer import LAYER, OPTIMISER
from mapspore.entry.model import Method, Unmapped
from mapspore.facts.snapshot import Api, Facts, Parameter
from mapspore.resolve.differences import Difference, FormRows
from mapspore.resolve.registry import Counterpart, Mapping, Registry
from mapspore.scan.codes import KIND_CODES
from mapspore.scan.conditions import Rewritable, condition, exact_form, of_the_whole, severity, shifted
from mapspore.text.links import page_path
from mapspore.view.by_adapter import by_adapter
from mapspore.view.entry_view import Text
from mapspore.view.sentences import joined, sentence
from mapspore.words.kinds import CONSISTENT, Exemption, Kind
from mapspore.words.runtime import runtime_members
from mapspore.words.vocabulary import POLICIES, PREDICATES, WORDS

Data = dict[str, Any]
FORMAT = 1


def compile_rules(registry: Registry) -> Data:
    """Everything that a scan needs to know, JSON-able."""
    names: dict[str, str] = {}
    for mapping in registry.mappings:
        names.setdefault(mapping.name, mapping.name)
    for name, mapping in registry.by_name.items():
        if mapping.name in names:
            names.setdefault(name, mapping.name)
    homes = {registry.torch.resolve(name) or name: target for name, target in names.items()}
    for name in (*registry.torch.names, *registry.torch.places):  # further names that the facts know of an API
        home = registry.torch.resolve(name)
        if home in homes:
            names.setdefault(name, homes[home])
    rules = {mapping.name: _rule(mapping) for mapping in registry.mappings}
    for mapping in registry.mappings:
        for full in mapping.methods:
            names[full] = full
            rules[full] = _bound(rules[mapping.name], full)
    for mapping in registry.mappings:
        preferred = mapping.preferred()
        for name, method in mapping.entry.contract.methods.items():
            full = f"{mapping.name}.{name}"
            if preferred and full not in names:
                names[full] = full
                rules[full] = _method_rule(full, method, mapping, preferred)
    return {
        "format": FORMAT,
        "torch": registry.torch.version,
        "mindspore": registry.mindspore.version,
        "names": dict(sorted(names.items())),
        "rules": rules,
        "known": _known(registry.torch),
        "modules": sorted(registry.torch.modules),
        "missing": _missing(registry),
        "missing_directly": _missing_directly(registry),
        "members": _members(registry),
    }


def _known(torch: Facts) -> dict[str, list[str]]:
    """By torch name: its kind, and what a call of it gives (a class of torch) or an empty text."""
    known = {api.name: [api.kind, _gives(api, torch)] for api in torch}
    return known | {place: known[name] for place, name in torch.places.items()}


_BASES = {
    "torch.Tensor": ("mindspore.Tensor",),
    "torch.nn.Module": ("mindspore.nn.Cell",),
    "torch.optim.Optimizer": ("mindspore.nn.Optimizer", "mindspore.experimental.optim.Optimizer"),
}
"""What most values of torch derive from, and what stands for it in MindSpore."""


def _missing_directly(registry: Registry) -> dict[str, str]:
    """Methods of torch's objects that MindSpore's do not have under that name: by name, in full."""
    found: dict[str, str] = {}
    there: set[str] = set()
    for torch, counterparts in _BASES.items():
        there.update(api.name.rpartition(".")[2] for api in registry.mindspore if _owner(api.name) in counterparts)
        for api in registry.torch:
            if _owner(api.name) == torch and api.kind == "method":
                found.setdefault(api.name.rpartition(".")[2], api.name)
    return {name: full for name, full in sorted(found.items()) if name not in there}


def _missing(registry: Registry) -> dict[str, str]:
    """Methods of torch's objects that neither MindSpore's have under that name, nor the adapter's, nor any entry: by
    name, in full."""
    known = runtime_members()
    public = {LAYER, OPTIMISER, *((mapping.entry.runtime or "").rpartition(".")[2] for mapping in registry.mappings)}
    there = {name for each in public & known.keys() for name in known[each]}
    for mapping in registry.mappings:
        there.update((mapping.name.rpartition(".")[2], *mapping.entry.contract.methods))
        there.update(name for counterpart in mapping.counterparts for name in counterpart.target.state)
    return {name: full for name, full in _missing_directly(registry).items() if name not in there}


def _members(registry: Registry) -> list[str]:
    """What the objects of the adapter's own classes have, by torch's name."""
    return sorted(
        f"{name}.{member}"
        for mapping in registry.mappings
        if mapping.port == "runtime"
        for name in (mapping.name, *mapping.entry.aliases)
        for member in mapping.members
    )


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _gives(api: Api, torch: Facts) -> str:
    if api.kind == "class":
        return api.name
    if api.kind == "property":
        return ""
    stated = {_class_name(form.returns, api.name, torch) for form in api.forms if form.returns is not None}
    return stated.pop() if len(stated) == 1 else ""


def _class_name(annotation: str, name: str, torch: Facts) -> str:
    text = annotation.strip("'\"").removesuffix(" | None")
    if text in ("Tensor", "torch.Tensor"):
        return "torch.Tensor"
    if text == "Self":
        return name.rpartition(".")[0]
    if text.startswith("torch.") and text in torch:
        return text
    module = name
    while "." in module:  # `Work` of `torch.distributed.isend` is `torch.distributed.Work`
        module = module.rpartition(".")[0]
        api = torch.get(f"{module}.{text}") if text.isidentifier() else None
        if api is not None and api.kind == "class":
            return api.name
    return ""


def _rule(mapping: Mapping) -> Data:
    adapted, counterpart = mapping.has_adapter, mapping.preferred()
    kind = mapping.api.kind if mapping.api else "function"
    rule: Data = {
        "kind": kind,
        "counterpart": counterpart.target.mindspore if counterpart else None,
        "page": page_path(mapping.name),
        "adapter": "none" if not adapted else "raises" if mapping.only_raises else "covers",
        "refuses": _refused(counterpart),
        "no_kernel": list(counterpart.without_kernel) if counterpart else [],
        "runtime": mapping.port == "runtime",
        "offers": sorted(mapping.offered_names) if adapted else [],
        "forms": [],
        "always": [],
    }
    if counterpart is None:
        rule["always"] = list(_always_alone(mapping))
        forms = [form for form in mapping.api.forms if not form.legacy] if mapping.api else []
        rule["forms"] = [{"parameters": _parameters(form.parameters), "checks": [], "exact": False} for form in forms]
        return rule
    if mapping.entry.migrate is not None:
        instead = Text(mapping.entry.migrate.en, mapping.entry.migrate.zh)
        rule["always"] = [_check(Kind.MIGRATE, "", ["always"], "breaks", "never", instead)]
    target = counterpart.target
    renamed = any(ours != theirs for ours, theirs in target.state.items())
    keeps_state = not (renamed or counterpart.contract.methods)  # otherwise more than the call differs
    for form in counterpart.forms:
        checks = list(_checks(form, counterpart))
        parameters = _parameters(form.binding.torch.parameters)
        exact = exact_form(form.binding) and keeps_state
        rule["forms"].append({"parameters": parameters, "checks": checks, "exact": exact})
    for signature in counterpart.untreated:
        rule["forms"].append({"parameters": _parameters(signature.parameters), "checks": None, "exact": False})
    if not rule["forms"] and not rule["always"]:  # a constant, or what the facts know no signature of
        rule["always"] = [_difference(d, "", ["always"]) for d in counterpart.behaviours if d.counts]
    return rule


def _bound(rule: Data, method: str) -> Data:
    """The rule of a method that its function's entry answers for: the first argument stands before the dot."""
    forms = []
    for form in rule["forms"]:
        (first, *_), *rest = form["parameters"]
        checks = form["checks"] and [check for check in form["checks"] if check["parameter"] != first]
        forms.append({"parameters": rest, "checks": checks, "exact": False})
    offers = [method] if method in rule["offers"] else []
    return rule | {"kind": "method", "offers": offers, "forms": forms}


def _always_alone(mapping: Mapping) -> Iterator[Data]:
    """What every use of an API without a counterpart meets."""
    verdict, said = mapping.verdict_alone, by_adapter(mapping)
    if verdict in (Kind.ANSWERED, Kind.UNNEEDED, Kind.PROVIDED) and said is not None:
        kind, unmapped = Kind(verdict), mapping.entry.unmapped
        told = said if unmapped is None else joined((said, _without_counterpart(unmapped)))
        yield _check(kind, "", ["always"], severity(Difference(kind)), "never", told)
    elif verdict != CONSISTENT:
        text = _without_counterpart(mapping.entry.unmapped)
        yield _check(Kind.UNMAPPED, "", ["always"], "breaks", "never", text)


def _method_rule(name: str, method: Method, mapping: Mapping, preferred: Counterpart) -> Data:
    """A method of a class's objects that the class's entry speaks of."""
    target = preferred.target.mindspore
    covers = mapping.has_adapter and not method.takes  # otherwise it has to be called differently
    return {
        "kind": "method",
        "counterpart": f"{target}.{method.calls}" if method.calls else target,
        "page": page_path(mapping.name),
        "adapter": "covers" if covers else "none",
        "refuses": [],
        "no_kernel": list(preferred.without_kernel),
        "runtime": False,
        "offers": [name] if covers else [],
        "forms": [],
        "always": [_check(Kind.BEHAVIOUR, "", ["always"], "change", "never", Text(method.en, method.zh))],
    }


def _without_counterpart(unmapped: Unmapped | None) -> Text:
    if unmapped is None:
        return sentence(Difference(Kind.UNMAPPED))
    return joined(Text(text.en, text.zh) for text in (unmapped.why, unmapped.instead))


def _refused(preferred: Counterpart | None) -> list[str]:
    """The torch parameters that the adapter refuses with the preferred counterpart."""
    bindings = preferred.bindings if preferred else ()
    return sorted({p.name for each in bindings for p, policy in each.absent if POLICIES[policy].refuses})


def _parameters(parameters: tuple[Parameter, ...]) -> list[list[str | None]]:
    return [[p.name, p.kind, p.default] for p in parameters]


def _checks(form: FormRows, counterpart: Counterpart) -> Iterator[Data]:
    """The differences of one call form, each with its condition."""
    binding, target, contract = form.binding, counterpart.target, counterpart.contract
    defaults = {p.name: p.default for p in binding.torch.parameters}
    for row in (*form.rows, form.returns):
        for difference in row.differences:
            if not _matters(difference):
                continue
            for when, rewritable in condition(difference, row, binding, contract, defaults):
                yield _difference(difference, row.torch or "", when, rewritable)
    ordered = {row.torch for row in form.rows for difference in row.differences if difference.kind is Kind.ORDER}
    for name in shifted(binding):
        if name not in ordered:  # in the same order as in torch, and yet not at the same place
            yield _difference(Difference(Kind.ORDER), name, ["placed", name], "always")
    methods = contract.methods
    for difference in counterpart.behaviours:
        if _matters(difference) and dict(difference.values).get("about") not in methods:  # those have their own rules
            yield _difference(difference, "", of_the_whole(difference, target, contract))


def _matters(difference: Difference) -> bool:
    """A general parameter that is given is lost, whatever the official rule counts; other exemptions are harmless."""
    return difference.kind is not Kind.SAME and difference.exemption in (None, Exemption.GENERAL)


_UNBRIDGED = (word.name for word in WORDS.values() if not word.bridges)
_REFUSED = frozenset([*PREDICATES, *_UNBRIDGED, "combinations", "choices"])
"""Differences that the adapter does not bridge: it refuses what meets them."""


def _difference(difference: Difference, parameter: str, when: list[Any], rewritable: Rewritable = "never") -> Data:
    check = _check(difference.kind, parameter, when, severity(difference), rewritable, sentence(difference))
    if difference.variant in _REFUSED:
        check["refused"] = True
    return check


def _check(kind: Kind, parameter: str, when: list[Any], grade: str, rewritable: Rewritable, text: Text) -> Data:
    return {
        "code": KIND_CODES[kind],
        "parameter": parameter,
        "when": when,
        "severity": grade,
        "rewritable": rewritable,
        "en": text.en,
        "zh": text.zh,
    }
