"""Which of torch's overloads are told apart. In: overloads, for an adapter each with how it is treated. Out: those that
are left when one that another covers is not told apart: `arange(start, end)` is `arange(start, end, step=1)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mapspore.entry.model import Treatment
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter, Signature
from mapspore.words.kinds import GENERAL_PARAMETERS


def needed_forms(forms: Sequence[Signature], treatments: Sequence[tuple[Treatment, ...]]) -> list[int]:
    """The numbers of the overloads that no later one covers, in torch's order."""
    return [
        at
        for at, form in enumerate(forms)
        if not any(
            treatments[later] == treatments[at]
            and _covers(forms[later], form)
            and not any(_may_fit(between, form) for between in forms[at + 1 : later])
            for later in range(at + 1, len(forms))
        )
    ]


def _covers(wider: Signature, form: Signature) -> bool:
    """Whether every call of an overload is one of a wider one too: it has all its parameters in the same places, takes
    what they take, and can be called without the rest."""
    theirs = {parameter.name: parameter for parameter in wider.parameters}
    own = {parameter.name for parameter in form.parameters}
    return (
        form.fields == wider.fields
        and list(_by_position(wider))[: len(list(_by_position(form)))] == list(_by_position(form))
        and all(
            (other := theirs.get(parameter.name)) is not None
            and other.kind == parameter.kind
            and (parameter.required or other.default == parameter.default)
            and _takes_all(other, parameter)
            for parameter in form.parameters
        )
        and not any(parameter.required for parameter in wider.parameters if parameter.name not in own)
    )


def _takes_all(wider: Parameter, parameter: Parameter) -> bool:
    kinds, all_kinds = kinds_taken(parameter.annotation), kinds_taken(wider.annotation)
    return not all_kinds or (bool(kinds) and set(kinds) <= set(all_kinds))


def _may_fit(other: Signature, form: Signature) -> bool:
    """Whether a call of one overload could be one of another: nothing that it needs is unknown there."""
    needed = {parameter.name for parameter in form.parameters if parameter.required}
    return needed <= {parameter.name for parameter in other.parameters}


def _by_position(form: Signature) -> Iterator[str]:
    return (parameter.name for parameter in form.parameters if parameter.kind != "keyword_only")


def merged_overloads(forms: Iterable[Signature]) -> Iterator[Signature]:
    """Overloads that differ in general parameters or annotations only are one."""
    kept: dict[object, Signature] = {}
    for form in forms:
        own = [p for p in form.parameters if p.name not in GENERAL_PARAMETERS]
        by_position = tuple((p.name, p.kind, p.default) for p in own if p.kind != "keyword_only")
        key = (by_position, frozenset((p.name, p.default) for p in own if p.kind == "keyword_only"))
        kept[key] = _merged(kept[key], form) if key in kept else form
    yield from kept.values()


def _merged(one: Signature, other: Signature) -> Signature:
    theirs = {parameter.name: parameter for parameter in other.parameters}
    ours = {parameter.name for parameter in one.parameters}
    parameters = [_either(p, theirs[p.name]) if p.name in theirs else p for p in one.parameters]
    return replace(one, parameters=(*parameters, *(p for p in other.parameters if p.name not in ours)))


def _either(one: Parameter, other: Parameter) -> Parameter:
    """A parameter that takes what either takes."""
    kinds = dict.fromkeys(part for each in (one, other) for part in (each.annotation or "").split(" | ") if part)
    if not one.annotation or not other.annotation or "[" in one.annotation + other.annotation:
        kinds = dict.fromkeys([one.annotation] if one.annotation == other.annotation and one.annotation else [])
    return replace(one, annotation=" | ".join(kinds) or None)
