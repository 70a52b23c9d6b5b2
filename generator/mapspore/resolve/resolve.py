"""Stage 3, resolve: entries joined with the facts of both frameworks; differences and verdicts derived.

In go parsed entries and two snapshots; out comes the `Registry`. A name that the facts do not know, or a
parameter that nothing accounts for, is kept as it is here and reported by `check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from mapspore.entry.load import Source
from mapspore.entry.model import Entry, Target, Treatment
from mapspore.facts.snapshot import Api, Facts, Parameter, Signature
from mapspore.resolve.adaptable import obstacle_of
from mapspore.resolve.binding import bind, treatment_for, treatments
from mapspore.resolve.differences import (
    Difference,
    FormRows,
    behaviour_differences,
    form_rows,
    object_differences,
    parameter_rows,
    return_row,
    state_rows,
    worst_first,
)
from mapspore.resolve.overloads import merged_overloads
from mapspore.resolve.registry import Counterpart, Mapping, Registry, port_of, registry_of
from mapspore.words.kinds import Kind, verdict
from mapspore.words.runtime import communicates
from mapspore.words.vocabulary import target_id

METHODS = ("method", "property")
SELF = Parameter("self", annotation="Tensor")


def resolve(parsed: Iterable[tuple[Source, Entry]], torch: Facts, mindspore: Facts) -> Registry:
    """Join every entry; nothing is reported here."""
    mappings = (resolve_entry(source, entry, torch, mindspore) for source, entry in parsed)
    return registry_of(mappings, torch, mindspore)


def resolve_entry(source: Source, entry: Entry, torch: Facts, mindspore: Facts) -> Mapping:
    api = torch.get(entry.torch)
    counterparts = tuple(_counterpart(entry, target, api, mindspore) for target in entry.targets)
    mapping = Mapping(source, entry, api, counterparts)
    obstacle = obstacle_of(mapping)
    if obstacle is None and not _is_composed(entry):
        return mapping
    return replace(mapping, obstacle=obstacle, counterparts=tuple(each.unadapted() for each in counterparts))


def _is_composed(entry: Entry) -> bool:
    """Whether the adapter works something out by itself: its counterparts are only compared with, never called."""
    return entry.runtime is not None and not communicates(entry.runtime)


_NONE: frozenset[str] = frozenset()


def _counterpart(entry: Entry, target: Target, torch_api: Api | None, mindspore: Facts) -> Counterpart:
    api, short = mindspore.get(target.mindspore), target_id(target.mindspore)
    if api is None or torch_api is None:
        return Counterpart(target, short, api, successor=_successor(api, target, mindspore) if api else None)
    if port_of(entry) == "rewrite":
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
    torch_api, api = _readable(torch_api), _readable(api)
    # Overloads that torch accepts only with a deprecation warning are no promise to keep.
    signatures = tuple(form for form in torch_api.forms if not form.legacy) or torch_api.forms
    signatures = tuple(merged_overloads(_complete_forms(signatures, torch_api, api)))
    every = frozenset(p.name for form in signatures for p in form.parameters) if len(signatures) > 1 else _NONE
    merged = treatments(target)
    of_groups = entry.runtime is not None and communicates(entry.runtime)
    conventional = entry.contract.collective is not None or of_groups
    forms: list[FormRows] = []
    untreated: list[Signature] = []
    for signature in signatures:
        treatment = treatment_for(target, merged, signature)
        if treatment is None or not api.forms:
            untreated.append(signature)
            continue
        elsewhere = every - {parameter.name for parameter in signature.parameters} if every else _NONE
        binding = bind(signature, api.forms, treatment, conventional, elsewhere)
        forms.append(form_rows(binding, target, entry.contract))
    rows, returned = parameter_rows(forms), return_row(forms)
    # What a call of a class gives is one of its objects, on both sides.
    returns = None if torch_api.kind == "class" and torch_api.forms and not returned.differences else returned
    behaviours = [*behaviour_differences(target, rows), *object_differences(target, entry.contract, api)]
    return Counterpart(
        target, target_id(target.mindspore), api, tuple(forms), tuple(untreated), rows, returns,
        worst_first(behaviours), contract=entry.contract,
    )  # fmt: skip


def _readable(api: Api) -> Api:
    """A property is read: a call of its object alone."""
    return replace(api, forms=(Signature(returns=api.returns),)) if api.kind == "property" and not api.forms else api


def _complete_forms(forms: tuple[Signature, ...], torch_api: Api, api: Api) -> Iterator[Signature]:
    """torch's forms with what the facts leave to the API as a whole: the tensor whose method it is, where MindSpore
    has a function instead, and the names of several results."""
    for form in forms:
        owner = (SELF,) if torch_api.kind in METHODS and api.kind not in METHODS else ()
        several = form.fields or (torch_api.fields if (form.returns or "").startswith("torch.return_types.") else ())
        yield replace(form, parameters=(*owner, *form.parameters), fields=several) if owner or several else form


def _successor(api: Api, target: Target, mindspore: Facts) -> str | None:
    stated = api.deprecated.replacement if api.deprecated else None
    return stated if stated is not None and stated in mindspore else target.successor
