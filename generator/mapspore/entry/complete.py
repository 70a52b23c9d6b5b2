"""Stage 2, complete: entries as contributors wrote them in, entries that say everything themselves out.

What an entry leaves to the one that it is `like`, and what it says of several targets at once, is filled in here, so
that no later stage knows of either. A name that `like` cannot mean is a diagnostic, and such an entry stays incomplete.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from mapspore.base.diagnostics import Diagnostic
from mapspore.entry.load import Source
from mapspore.entry.model import Behaviour, Contract, Entry, Model, SharedBehaviour, Target, Verification
from mapspore.words.vocabulary import target_id

Part = TypeVar("Part", Contract, Verification, Target)
Stated = TypeVar("Stated", bound=Behaviour)

OWN = ("mindspore", "note", "successor")
"""What a target never takes over: its name, and what is about that API alone."""


@dataclass(slots=True)
class Completed:
    """Entries that say everything, those of which a part is missing or wrong, and what is wrong with `like`."""

    sound: list[tuple[Source, Entry]] = field(default_factory=list)
    damaged: list[tuple[Source, Entry]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def complete(
    parsed: Iterable[tuple[Source, Entry]], damaged: Iterable[tuple[Source, Entry]] = (), unread: Iterable[str] = ()
) -> Completed:
    """All entries completed. One that is like a damaged entry, or like one that could not be read, counts as damaged
    too, without a word: its problem is the other's."""
    parsed, damaged = list(parsed), list(damaged)
    known = {entry.torch: entry for _, entry in (*damaged, *parsed)}
    faulty = {*unread, *(entry.torch for _, entry in damaged)}
    found = Completed()
    for source, entry in parsed:
        models = _models(entry, known)
        if problem := _problem(source, entry, models, known, faulty):
            found.diagnostics.append(problem)
        lacks = problem is not None or len(set(models)) < len(models) or not faulty.isdisjoint(models)
        lacks = lacks or any(name not in known for name in models)
        made = with_shared(entry) if problem else completed(entry, known)
        (found.damaged if lacks else found.sound).append((source, made))
    found.damaged += [(source, with_shared(entry)) for source, entry in damaged]
    return found


def completed(entry: Entry, known: Mapping[str, Entry]) -> Entry:
    """The entry with what it takes from the entries that it is like, the nearest first, and with what it says of
    several targets at each of them."""
    chain = [known[name] for name in _models(entry, known) if name in known]
    for model in chain:
        entry = _like(entry, model)
    return with_shared(entry)


def _models(entry: Entry, known: Mapping[str, Entry]) -> list[str]:
    """The names that `like` leads to, one after the other; the last one is unknown, has none, or came before."""
    names: list[str] = []
    at: Entry | None = entry
    while at is not None and at.like is not None:
        again = at.like in (entry.torch, *names)
        names.append(at.like)
        at = None if again else known.get(at.like)
    return names


def _problem(
    source: Source, entry: Entry, models: list[str], known: Mapping[str, Entry], faulty: set[str]
) -> Diagnostic | None:
    """What is wrong with the `like` of an entry itself; a wrong one further on is reported there."""
    if entry.like is None:
        return None
    place = source.place("like")
    if entry.torch in models:
        chain = " → ".join(f"`{name}`" for name in (entry.torch, *models))
        return Diagnostic("M309", place, (("chain", chain),), variant="circle")
    if entry.like in known or entry.like in faulty:
        return None
    near = difflib.get_close_matches(entry.like, known, n=1, cutoff=0.6)
    values = (("name", entry.like), ("near", near[0] if near else ""))
    return Diagnostic("M309", place, values, variant="near" if near else "")


def _like(entry: Entry, model: Entry) -> Entry:
    """The entry with contract, verification and treatments of another one, where it does not state them itself."""
    by_id = {target_id(target.mindspore): target for target in model.targets}
    targets = entry.targets or (() if entry.unmapped or entry.migrate else model.targets)
    filled = tuple(_filled(target, by_id.get(target_id(target.mindspore)), OWN) for target in targets)
    update: dict[str, Any] = {
        "contract": _filled(entry.contract, model.contract),
        "verify": _filled(entry.verify, model.verify),
        "differs": _differences(entry.differs, model.differs),
        "targets": filled,
    }
    return entry.model_copy(update=update)


def _filled(own: Part, model: Part | None, never: tuple[str, ...] = ()) -> Part:
    """A part of an entry with the fields of another one that it does not state; what is listed by name is taken over
    name by name, and differences by what they are about."""
    if model is None or own is model:
        return own
    update: dict[str, Any] = {}
    for name in type(own).model_fields:
        if name not in model.model_fields_set or name in never:
            continue
        theirs, ours = getattr(model, name), getattr(own, name)
        if name not in own.model_fields_set:
            update[name] = theirs
        elif name == "differs":
            update[name] = _differences(ours, theirs)
        elif isinstance(theirs, dict):
            update[name] = {**theirs, **ours}
    return own.model_copy(update=update)


def _differences(own: tuple[Stated, ...], model: tuple[Stated, ...]) -> tuple[Stated, ...]:
    """The differences of both; one's own takes the place of another that is about the same, in the same case."""
    ours = {(each.about, repr(each.when)): each for each in own}
    merged = [ours.pop((each.about, repr(each.when)), each) for each in model]
    return (*merged, *ours.values())


def with_shared(entry: Entry) -> Entry:
    """The entry with each difference that it states for several targets at each of them, after their own."""
    if not entry.differs:
        return entry
    targets = tuple(
        target.model_copy(update={"differs": (*target.differs, *said)}) if said else target
        for target in entry.targets
        if (said := [_behaviour(each) for each in entry.differs if concerns(each, target)]) is not None
    )
    return entry.model_copy(update={"targets": targets})


def concerns(behaviour: SharedBehaviour, target: Target) -> bool:
    """Whether a difference that an entry states is about one of its targets."""
    return not behaviour.targets or target_id(target.mindspore) in behaviour.targets


def _behaviour(shared: Model) -> Behaviour:
    stated = {name: getattr(shared, name) for name in Behaviour.model_fields if name in shared.model_fields_set}
    return Behaviour.model_construct(**stated)
