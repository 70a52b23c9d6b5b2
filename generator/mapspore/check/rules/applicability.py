"""M411 and M412: what a stated difference is about, and fields that say something only of certain APIs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mapspore.check.rules.base import Problems, Rule, listed, nearest, problem
from mapspore.check.rules.signatures import all_names
from mapspore.entry.complete import concerns
from mapspore.entry.model import ADAPTER, Behaviour, Contract, Target, Treatment, Verification
from mapspore.resolve.registry import Mapping, Registry
from mapspore.words.comparisons import COMPARISONS, QUANTITIES
from mapspore.words.situations import SITUATIONS, TOPICS

Steps = tuple[str | int, ...]
RESULT = "result"
OF_CLASSES = ("call", "state")
OF_CALLS = (*Treatment.model_fields, "forms", *OF_CLASSES, "dtypes")
"""What a target says of the call that takes the place of torch's."""


def check_about(mapping: Mapping, registry: Registry) -> Problems:
    """A stated difference concerns a parameter, the result, or something that pages have words for."""
    ours = all_names(mapping.api)
    known = [*ours, RESULT, *SITUATIONS, *TOPICS]
    ids = [counterpart.id for counterpart in mapping.counterparts]
    for number, shared in enumerate(mapping.entry.differs):
        for target in shared.targets:
            if target not in ids and not (target == ADAPTER and mapping.entry.runtime):
                place = mapping.source.place("differs", number, "targets")
                yield problem("M411", place, "target", target=target, known=listed(ids))
    for base, behaviour in _behaviours(mapping) if mapping.api is not None else ():
        if behaviour.about not in known:
            near = nearest(behaviour.about, known, 1)
            place = mapping.source.place(*base, "about")
            yield problem("M411", place, "near" if near else "", about=behaviour.about, near="".join(near))
        for at, word in _unmet(behaviour, ours):
            place = mapping.source.place(*base, "when", at)
            variant = "compared" if word.startswith("{") else "when"
            yield problem("M411", place, variant, about=behaviour.about, word=word, words=listed(COMPARISONS))


def _behaviours(mapping: Mapping) -> Iterator[tuple[Steps, Behaviour]]:
    """The differences that an entry states, each once, with its path: for several targets, and for one."""
    yield from ((("differs", number), shared) for number, shared in enumerate(mapping.entry.differs))
    for index, target in enumerate(mapping.entry.targets):
        own = len(target.differs) - sum(concerns(shared, target) for shared in mapping.entry.differs)
        for number, behaviour in enumerate(target.differs[:own]):
            yield ("targets", index, "differs", number), behaviour


def _unmet(behaviour: Behaviour, ours: list[str]) -> Iterator[tuple[int, str]]:
    """What stands under `when` and can be neither met nor judged: a comparison that nobody knows; and, of a difference
    that is not about a parameter, so that there is no value, what is no situation."""
    for at, word in enumerate(behaviour.when):
        if isinstance(word, dict):
            if behaviour.about not in ours or not _compares(word):
                yield at, str(word)
        elif behaviour.about not in ours and word not in SITUATIONS:
            yield at, str(word)


def _compares(word: dict[str, Any]) -> bool:
    """Whether it is a comparison with a number or a quantity."""
    (name, other), *more = word.items() if word else (("", None),)
    known = other in QUANTITIES if isinstance(other, str) else isinstance(other, int | float)
    return not more and name in COMPARISONS and known


def check_fields(mapping: Mapping, registry: Registry) -> Problems:
    """Fields that nothing reads for an API of this kind are reported."""
    if mapping.api is None:
        return
    is_class, entry = mapping.api.kind == "class", mapping.entry
    for key in _stated(entry.contract, ("modes", "state_if", "methods")):
        place = mapping.source.place("contract", key, key=True)
        if not is_class:
            yield problem("M412", place, key=key, torch=mapping.name, kind=mapping.api.kind)
        elif key == "methods" and not mapping.counterparts:
            yield problem("M412", place, "unadapted", key=key)
        elif key == "methods" and mapping.port == "rewrite":
            yield problem("M412", place, "rewritten", key=key)
    for key in _stated(entry.verify, ("reference_lacks",)) if not mapping.needs_ranks else ():
        yield problem("M412", mapping.source.place("verify", key, key=True), "alone", key=key, torch=mapping.name)
    for index, counterpart in enumerate(mapping.counterparts):
        target, base = counterpart.target, ("targets", index)
        idle = _stated(target, OF_CALLS) if mapping.port == "rewrite" else []
        for key in idle:
            yield problem("M412", mapping.source.place(*base, key, key=True), "rewritten", key=key)
        for key in [] if is_class or idle else _stated(target, OF_CLASSES):
            place = mapping.source.place(*base, key, key=True)
            yield problem("M412", place, key=key, torch=mapping.name, kind=mapping.api.kind)
        if is_class and not idle and target.call is not None and counterpart.call is None and counterpart.api:
            place = mapping.source.place(*base, "call", key=True)
            yield problem("M412", place, "uncalled", torch=mapping.name, mindspore=target.mindspore)
        for steps, part in _parts_of(target):
            if part.only:
                yield problem("M412", mapping.source.place(*base, *steps, "only", key=True), "whole", key="only")
    for name, values in entry.verify.samples.items():
        if not values:
            place = mapping.source.place("verify", "samples", name, key=True)
            yield problem("M412", place, "empty", key="samples", name=name)
    state_names = {name for target in entry.targets for name in target.state}
    for parameter, names in entry.contract.state_if.items():
        for at, name in enumerate(names):
            if is_class and name not in state_names:
                place = mapping.source.place("contract", "state_if", parameter, at)
                yield problem("M412", place, "unheld", key="state_if", name=name)


def _parts_of(target: Target) -> Iterator[tuple[Steps, Treatment]]:
    yield from ((("forms", number), form) for number, form in enumerate(target.forms))
    if target.call is not None:
        yield ("call",), target.call


def _stated(part: Contract | Verification | Target, keys: tuple[str, ...]) -> list[str]:
    return [key for key in keys if key in part.model_fields_set]


RULES = (
    Rule("M411", "entry", check_about, works_on_partial_entry=True),
    Rule("M412", "entry", check_fields),
)
