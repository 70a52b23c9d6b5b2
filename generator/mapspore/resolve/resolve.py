"""Stage 3, resolve: entries joined with the facts of both frameworks; differences and verdicts derived.

In go parsed entries and two snapshots; out comes the `Registry`. A name that the facts do not know, or a
parameter that nothing accounts for, is kept as it is here and reported by `check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from mapspore.entry.load import Source
from mapspore.entry.model import Contract, Entry, Target, Treatment
from mapspore.facts.snapshot import Api, Facts, Parameter
from mapspore.facts.snapshot import Form as Signature
from mapspore.resolve.binding import Binding, bind, treatment_for, treatments
from mapspore.resolve.differences import (
    Difference,
    Row,
    behaviour_differences,
    object_differences,
    parameter_rows,
    return_row,
    state_rows,
    worst_first,
)
from mapspore.resolve.evidence_status import Standing
from mapspore.words.kinds import GENERAL_PARAMETERS, Exemption, Kind, verdict
from mapspore.words.vocabulary import target_id

_UNSTATED = Contract()
METHODS = ("method", "property")
SELF = Parameter("self", annotation="Tensor")


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A target joined with the facts: how it is called, what differs, what follows."""

    target: Target
    id: str
    api: Api | None
    bindings: tuple[Binding, ...] = ()
    untreated: tuple[Signature, ...] = ()
    """torch overloads that none of the target's forms covers."""
    rows: tuple[Row, ...] = ()
    returns: Row | None = None
    behaviours: tuple[Difference, ...] = ()
    verdict: str = Kind.UNMAPPED.value
    successor: str | None = None
    """For a deprecated API: what its docstring, or else the entry, names to use."""
    contract: Contract = _UNSTATED
    """torch's side, as the entry states it."""
    call: Counterpart | None = None
    """For a class: how its objects are called."""
    state: tuple[Row, ...] = ()
    """For a class: what becomes of torch's state, name by name."""

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All of them, the worst first."""
        rows = (*self.rows, *((self.returns,) if self.returns else ()), *self.state)
        called = self.call.differences if self.call else ()
        return worst_first((*(d for row in rows for d in row.differences), *self.behaviours, *called))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that count, the worst first, each once."""
        return tuple(dict.fromkeys(d.kind for d in self.differences if d.counts))

    @property
    def exemptions(self) -> tuple[Exemption, ...]:
        """The exceptions of the official rule that were used, in a fixed order."""
        used = {d.exemption for d in self.differences}
        return tuple(exemption for exemption in Exemption if exemption in used)


@dataclass(frozen=True, slots=True)
class Mapping:
    """An entry joined with the facts."""

    source: Source
    entry: Entry
    api: Api | None
    counterparts: tuple[Counterpart, ...] = ()

    @property
    def name(self) -> str:
        return self.entry.torch

    @property
    def one_for_all(self) -> bool:
        """Whether one piece of code stands behind all targets: a function or class of the runtime, or a refusal."""
        return not self.counterparts or self.entry.runtime is not None or self.entry.migrate is not None

    @property
    def verdict(self) -> str:
        """The verdict of the preferred target, or that there is none."""
        return self.counterparts[0].verdict if self.counterparts else Kind.UNMAPPED.value


@dataclass(frozen=True, slots=True)
class Registry:
    """All mappings, sorted by name, and the facts they were joined with."""

    mappings: tuple[Mapping, ...]
    torch: Facts
    mindspore: Facts
    claims: dict[str, Mapping] = field(default_factory=dict)
    """By torch name, aliases included: the entry that answers for it."""
    evidence: dict[str, Standing] = field(default_factory=dict)
    """By torch name: what `verify` found, where it was run."""


def resolve(parsed: Iterable[tuple[Source, Entry]], torch: Facts, mindspore: Facts) -> Registry:
    """Join every entry; nothing is reported here."""
    mappings = [resolve_entry(source, entry, torch, mindspore) for source, entry in parsed]
    mappings.sort(key=lambda mapping: (mapping.name, mapping.source.path))
    claims: dict[str, Mapping] = {}
    for mapping in mappings:
        claims.setdefault(mapping.name, mapping)
    for mapping in mappings:
        # The facts know some aliases too: names of one object, or whose docstring says so.
        for alias in (torch.resolve(mapping.name) or mapping.name, *mapping.entry.aliases):
            claims.setdefault(alias, mapping)
    return Registry(tuple(mappings), torch, mindspore, claims)


def resolve_entry(source: Source, entry: Entry, torch: Facts, mindspore: Facts) -> Mapping:
    api = torch.get(entry.torch)
    counterparts = tuple(_counterpart(entry, target, api, mindspore) for target in entry.targets)
    return Mapping(source, entry, api, counterparts)


_NONE: frozenset[str] = frozenset()


def _counterpart(entry: Entry, target: Target, torch_api: Api | None, mindspore: Facts) -> Counterpart:
    api, short = mindspore.get(target.mindspore), target_id(target.mindspore)
    if api is None or torch_api is None:
        return Counterpart(target, short, api, successor=_successor(api, target, mindspore) if api else None)
    if entry.migrate is not None:
        return Counterpart(target, short, api, verdict=Kind.MIGRATE.value, behaviours=(Difference(Kind.MIGRATE),))
    made = _joined(entry, target, torch_api, api)
    if torch_api.kind == "class":
        state = tuple(state_rows(target))
        made = replace(made, call=_called(entry, target, torch_api, api), state=state)
    return replace(
        made,
        successor=_successor(api, target, mindspore),
        verdict=verdict([d.kind for d in made.differences if d.counts]),
    )


def _called(entry: Entry, target: Target, torch_api: Api, api: Api) -> Counterpart | None:
    """The objects of two classes, joined as callables."""
    if not torch_api.call or not api.call:
        return None
    stated = {name: getattr(target.call, name) for name in Treatment.model_fields} if target.call else {}
    called = Target.model_construct(mindspore=target.mindspore, **stated)
    return _joined(
        entry, called, replace(torch_api, forms=torch_api.call, call=()), replace(api, forms=api.call, call=())
    )


def _joined(entry: Entry, target: Target, torch_api: Api, api: Api) -> Counterpart:
    # Overloads that torch accepts only with a deprecation warning are no promise to keep.
    signatures = tuple(form for form in torch_api.forms if not form.legacy) or torch_api.forms
    signatures = tuple(merged_overloads(_spelled_out(signatures, torch_api, api)))
    every = frozenset(p.name for form in signatures for p in form.parameters) if len(signatures) > 1 else _NONE
    merged = treatments(target)
    conventional = entry.contract.collective is not None or entry.runtime is not None
    bindings: list[Binding] = []
    untreated: list[Signature] = []
    for signature in signatures:
        treatment = treatment_for(target, merged, signature)
        if treatment is None or not api.forms:
            untreated.append(signature)
            continue
        elsewhere = every - {parameter.name for parameter in signature.parameters} if every else _NONE
        bindings.append(bind(signature, api.forms, treatment, conventional, elsewhere))
    rows = parameter_rows(bindings, target, entry.contract)
    returned = return_row(bindings, target, entry.contract)
    # What a call of a class gives is one of its objects, on both sides.
    returns = None if torch_api.kind == "class" and torch_api.forms and not returned.differences else returned
    behaviours = [*behaviour_differences(target, rows), *object_differences(target, entry.contract, api)]
    return Counterpart(
        target, target_id(target.mindspore), api, tuple(bindings), tuple(untreated), tuple(rows), returns,
        worst_first(behaviours), contract=entry.contract,
    )  # fmt: skip


def _spelled_out(forms: tuple[Signature, ...], torch_api: Api, api: Api) -> Iterator[Signature]:
    """torch's forms with what the facts leave to the API as a whole: the tensor whose method it is, where MindSpore
    has a function instead, and the names of several results."""
    for form in forms:
        owner = (SELF,) if torch_api.kind in METHODS and api.kind not in METHODS else ()
        several = form.fields or (torch_api.fields if (form.returns or "").startswith("torch.return_types.") else ())
        yield replace(form, parameters=(*owner, *form.parameters), fields=several) if owner or several else form


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


def _successor(api: Api, target: Target, mindspore: Facts) -> str | None:
    stated = api.deprecated.replacement if api.deprecated else None
    return stated if stated is not None and stated in mindspore else target.successor
