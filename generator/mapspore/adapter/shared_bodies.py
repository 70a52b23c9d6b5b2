"""Which call forms of an API share a body. In: torch's overloads, each bound to every target. Out: the bodies, one per
distinct treatment, and for each overload what it hands to the body of another one.

Two overloads are treated alike if in every target the same MindSpore parameters receive the same things; one that an
overload has nothing for must receive MindSpore's own default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from mapspore.facts.defaults import is_literal
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import ArgumentRoute, Binding
from mapspore.resolve.registry import Mapping
from mapspore.words.pure import convert

Parameters = tuple[Parameter, ...]
Pairs = list[tuple[str, str]]
"""Parameters of a body, each with what an overload hands to it, as Python."""


@dataclass(frozen=True, slots=True)
class SharedBody:
    """The body of one or several overloads that are treated alike."""

    parameters: Parameters
    """Those of the widest overload, and what only others have, to be refused."""
    bindings: tuple[Binding, ...]
    """By target: the binding of the widest overload, with all that any of the overloads is refused."""


@dataclass(frozen=True, slots=True)
class Overload:
    """One of torch's call forms."""

    parameters: Parameters
    body: int
    renamed: tuple[tuple[str, str], ...] = ()
    """What the body's parameters receive, as Python, if the body cannot be called as the overload is."""


def shared_bodies(
    mapping: Mapping, forms: dict[int, Parameters], default_of: Callable[[Parameter], str]
) -> tuple[list[SharedBody], list[Overload]]:
    """The bodies of some overloads, given by their numbers with their parameters, and the overloads in order."""
    bound = {at: [counterpart.bindings[at] for counterpart in mapping.counterparts] for at in forms}
    groups: dict[int, dict[int, dict[str, str]]] = {}
    for at in sorted(forms, key=lambda at: -sum(len(binding.routes) for binding in bound[at])):
        for lead, members in groups.items():
            handed = _handed(mapping, bound[lead], bound[at]) if _takes_names(forms[lead]) else None
            if handed is not None:
                members[at] = handed
                break
        else:
            groups[at] = {at: {}}
    bodies: list[SharedBody] = []
    overloads: dict[int, Overload] = {}
    for lead, members in sorted(groups.items(), key=lambda group: min(group[1])):
        body = _shared(forms[lead], bound[lead], [bound[at] for at in members])
        for at, handed in members.items():
            renamed = tuple(_renamed(body, forms[at], handed, default_of))
            alike = _called_alike(body.parameters, forms[at], default_of) and all(one == two for one, two in renamed)
            overloads[at] = Overload(forms[at], len(bodies), () if at == lead or alike else renamed)
        bodies.append(body)
    return bodies, [overloads[at] for at in sorted(overloads)]


def _takes_names(parameters: Parameters) -> bool:
    """Whether all arguments can be handed over by name."""
    return all(parameter.kind in ("positional_or_keyword", "keyword_only") for parameter in parameters)


def _shared(parameters: Parameters, lead: Sequence[Binding], members: Iterable[Sequence[Binding]]) -> SharedBody:
    """The body of the widest overload, to which what only the others are refused is added."""
    bindings = list(lead)
    known = {parameter.name: parameter for parameter in parameters}
    for member in members:
        for number, binding in enumerate(member):
            own = {parameter.name for parameter, _ in bindings[number].absent}
            added = tuple(pair for pair in binding.absent if pair[0].name not in own)
            bindings[number] = replace(bindings[number], absent=(*bindings[number].absent, *added))
            for parameter, _ in added:
                optional = replace(parameter, kind="keyword_only", default=parameter.default or "None")
                known.setdefault(parameter.name, optional)
    return SharedBody(tuple(known.values()), tuple(bindings))


def _renamed(
    body: SharedBody, own: Parameters, handed: dict[str, str], default_of: Callable[[Parameter], str]
) -> Iterable[tuple[str, str]]:
    """What an overload hands to a body, but for what the body has as its default."""
    names = {parameter.name for parameter in own}
    for parameter in body.parameters:
        given = handed.get(parameter.name) or (parameter.name if parameter.name in names else default_of(parameter))
        if parameter.default is None or given != default_of(parameter):
            yield parameter.name, given


def _called_alike(body: Parameters, own: Parameters, default_of: Callable[[Parameter], str]) -> bool:
    """Whether all of an overload's parameters have the places and defaults that those of a body have."""
    places, other = ([p.name for p in each if p.kind != "keyword_only"] for each in (own, body))
    defaults = {parameter.name: default_of(parameter) for parameter in body if parameter.default is not None}
    stated = {parameter.name: default_of(parameter) for parameter in own if parameter.default is not None}
    return _takes_names(own) and places == other[: len(places)] and stated.items() <= defaults.items()


def _handed(mapping: Mapping, lead: Sequence[Binding], other: Sequence[Binding]) -> dict[str, str] | None:
    """What an overload hands to the body of a wider one under another name, or in place of what it does not have; None
    if the two are treated differently."""
    handed: dict[str, str] = {}
    for counterpart, one, two in zip(mapping.counterparts, lead, other, strict=True):
        supported = {name for row in counterpart.target.only for name in row}
        pairs = _pairs(one, two) if _parameters(one) & supported == _parameters(two) & supported else None
        if pairs is None or any(handed.setdefault(name, given) != given for name, given in pairs):
            return None
    return handed


def _pairs(lead: Binding, other: Binding) -> Pairs | None:
    """The same for one target."""
    if _outcome(lead) != _outcome(other) or lead.mindspore != other.mindspore:
        return None
    policies = dict((parameter.name, policy) for parameter, policy in lead.absent)
    if any(policies.get(parameter.name, policy) != policy for parameter, policy in other.absent):
        return None
    received = {route.receiver.name: route for route in other.routes}
    pairs: Pairs = []
    for route in lead.routes:
        found = received.pop(route.receiver.name, None)
        given = _left_out(route) if found is None else _alike(route, found)
        if given is None:
            return None
        pairs += given
    refused = {parameter.name for parameter, _ in other.absent}
    return None if received or refused & {name for name, _ in pairs} else pairs


def _parameters(binding: Binding) -> set[str]:
    return {parameter.name for parameter in binding.torch.parameters}


def _outcome(binding: Binding) -> tuple[object, ...]:
    """What a caller gets, and what the target demands of arguments."""
    treatment, own = binding.treatment, _parameters(binding)
    demands = {name: predicate for name, predicate in treatment.requires.items() if name in own}
    return binding.torch.fields, treatment.returns, treatment.hand_back, treatment.convert_returns, demands


def _alike(route: ArgumentRoute, other: ArgumentRoute) -> Pairs | None:
    """The sources of a MindSpore parameter, if it receives the same in two overloads but for their names."""
    same = route.words == other.words and route.also_reads == other.also_reads and route.value == other.value
    if not same or len(route.sources) != len(other.sources):
        return None
    pairs = [(one.name, two.name) for one, two in zip(route.sources, other.sources, strict=True)]
    return [*pairs, *((name, name) for name in route.also_reads)]


def _left_out(route: ArgumentRoute) -> Pairs | None:
    """What makes a MindSpore parameter receive its own default, where an overload has no source for it."""
    wanted = route.receiver.default
    if wanted is None or not is_literal(wanted) or len(route.sources) != 1 or route.also_reads:
        return None
    (source,) = route.sources
    for candidate in (source.default, wanted):
        value = candidate if candidate is not None and is_literal(candidate) else None
        for use in route.words:
            value = convert(use.word, use.options, value) if value is not None else None
        if candidate is not None and value == wanted:
            return [(source.name, candidate)]
    return None
