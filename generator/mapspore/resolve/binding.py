"""Which MindSpore parameter receives which torch parameter, for one overload of each.

In go a treatment and two forms from the facts; out comes a `Binding` with every parameter of both sides
accounted for, or listed as not. Says nothing about what the difference means; that is `differences`.
"""

from __future__ import annotations

from dataclasses import dataclass

from mapspore.entry.model import Target, Treatment, WordUse
from mapspore.facts.snapshot import Parameter, Signature
from mapspore.words.kinds import GENERAL_PARAMETERS
from mapspore.words.vocabulary import COLLECTIVE_CONVENTIONS, GENERAL_POLICY


@dataclass(frozen=True, slots=True)
class ArgumentRoute:
    """One MindSpore parameter and what it receives: torch parameters through words, or a fixed value."""

    receiver: Parameter
    sources: tuple[Parameter, ...] = ()
    also_reads: tuple[str, ...] = ()
    words: tuple[WordUse, ...] = ()
    value: object = None
    declared: bool = False
    """Whether the entry has a line for it."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One torch overload met by one MindSpore overload."""

    torch: Signature
    mindspore: Signature
    treatment: Treatment
    routes: tuple[ArgumentRoute, ...]
    absent: tuple[tuple[Parameter, str], ...]
    """torch parameters with no place, and their policy."""
    general: tuple[str, ...]
    """Those of `absent` that no line mentions, because a convention covers them."""
    defaulted: tuple[Parameter, ...]
    """MindSpore parameters that stay at their default because the entry says so."""
    defaulted_elsewhere: tuple[str, ...]
    """MindSpore parameters that stay at their default because only other torch overloads have them."""
    unbound_torch: tuple[str, ...]
    unbound_mindspore: tuple[str, ...]
    twice: tuple[str, ...]
    """torch parameters that two lines claim."""


def treatments(target: Target) -> list[Treatment]:
    """The target's treatments by overload; its own fields hold for each of them."""
    if not target.forms:
        return [target]
    merged: list[Treatment] = []
    for form in target.forms:
        merged.append(
            form.model_copy(
                update={
                    "arguments": {**target.arguments, **form.arguments},
                    "absent": {**target.absent, **form.absent},
                    "leave_default": tuple(dict.fromkeys((*target.leave_default, *form.leave_default))),
                    "returns": form.returns if form.returns is not None else target.returns,
                    "fill": {**target.fill, **form.fill},
                    "hand_back": form.hand_back if form.hand_back is not None else target.hand_back,
                    "convert_returns": {**target.convert_returns, **form.convert_returns},
                    "requires": {**target.requires, **form.requires},
                }
            )
        )
    return merged


def treatment_for(target: Target, merged: list[Treatment], signature: Signature) -> Treatment | None:
    """The treatment that an overload gets: the first form whose conditions hold."""
    if not target.forms:
        return target
    names = {parameter.name for parameter in signature.parameters}
    for form, treatment in zip(target.forms, merged, strict=True):
        if names.issuperset(form.has) and names.isdisjoint(form.lacks):
            return treatment
    return None


def bind(
    torch: Signature,
    candidates: tuple[Signature, ...],
    treatment: Treatment,
    conventional: bool,
    elsewhere: frozenset[str],
) -> Binding:
    """The binding to the MindSpore overload that leaves least unaccounted for, the first such one.

    `conventional` says that conventions by name hold, as in every call about process groups. `elsewhere` holds the
    parameters of the other torch overloads: a MindSpore parameter of such a name stands for an overload and may stay
    at its default here.
    """
    best: Binding | None = None
    for candidate in candidates:
        bound = _bind_one(torch, candidate, treatment, conventional, elsewhere)
        if best is None or _gaps(bound) < _gaps(best):
            best = bound
        if _gaps(bound) == (0, 0):
            break
    assert best is not None
    return best


def _gaps(binding: Binding) -> tuple[int, int]:
    """How much is unaccounted for, and how many general parameters have no place."""
    return len(binding.unbound_torch) + len(binding.unbound_mindspore), len(binding.general)


def _bind_one(
    torch: Signature,
    mindspore: Signature,
    treatment: Treatment,
    conventional: bool,
    elsewhere: frozenset[str],
) -> Binding:
    ours = {parameter.name: parameter for parameter in torch.parameters}
    routes: list[ArgumentRoute] = []
    defaulted: list[Parameter] = []
    unbound: list[str] = []
    defaulted_elsewhere: list[str] = []
    routes_by_source: dict[str, list[ArgumentRoute]] = {}
    for receiver in mindspore.parameters:
        name = receiver.name
        argument = treatment.arguments.get(name)
        if argument is not None:
            sources = tuple(ours[source] for source in argument.from_ if source in ours)
            if argument.from_ and not sources:
                # A source that no overload has is reported as such; the receiver then is not the problem.
                if receiver.required and elsewhere.issuperset(argument.from_):
                    unbound.append(name)
                continue
            words = argument.by or (_words_by_convention(argument.from_) if conventional else ())
            route = ArgumentRoute(receiver, sources, argument.with_, words, argument.value, True)
        elif name in ours and name not in treatment.absent:
            route = ArgumentRoute(receiver, (ours[name],), (), _words_by_convention((name,)) if conventional else ())
        elif name in treatment.leave_default:
            defaulted.append(receiver)
            continue
        else:
            if receiver.required or name not in elsewhere:
                unbound.append(name)
            else:
                defaulted_elsewhere.append(name)
            continue
        routes.append(route)
        for source in route.sources:
            routes_by_source.setdefault(source.name, []).append(route)
    absent: list[tuple[Parameter, str]] = []
    general: list[str] = []
    lost: list[str] = []
    twice: list[str] = []
    for parameter in torch.parameters:
        name = parameter.name
        policy = treatment.absent.get(name)
        if policy is not None:
            absent.append((parameter, policy))
            if name in routes_by_source or name in treatment.fill:
                twice.append(name)
        elif name in routes_by_source:
            if len(routes_by_source[name]) > 1 and not all(route.words for route in routes_by_source[name]):
                twice.append(name)
        elif name in treatment.fill:
            continue
        elif name in GENERAL_PARAMETERS:
            absent.append((parameter, GENERAL_POLICY))
            general.append(name)
        else:
            lost.append(name)
    return Binding(
        torch, mindspore, treatment, tuple(routes), tuple(absent), tuple(general), tuple(defaulted),
        tuple(defaulted_elsewhere),
        tuple(lost), tuple(unbound), tuple(twice),
    )  # fmt: skip


def _words_by_convention(sources: tuple[str, ...]) -> tuple[WordUse, ...]:
    """The word that a parameter of this name takes in every collective, if it comes alone."""
    return _CONVENTIONAL.get(sources[0], ()) if len(sources) == 1 else ()


_CONVENTIONAL = {name: (WordUse(word=word.name),) for name, word in COLLECTIVE_CONVENTIONS.items()}
