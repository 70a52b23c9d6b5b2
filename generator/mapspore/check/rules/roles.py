"""M508: each parameter of a collective has one role: a tensor, a rank, or what a convention takes it for."""

from __future__ import annotations

from collections.abc import Iterator

from mapspore.check.rules.base import Problems, Rule, listed, problem
from mapspore.check.rules.signatures import names_of
from mapspore.entry.model import Contract, Tensors
from mapspore.resolve.registry import Mapping, Registry
from mapspore.words.vocabulary import COLLECTIVE_CONVENTIONS, RANK_NAMES, WORDS

Steps = tuple[str | int, ...]
TAKEN = frozenset({*COLLECTIVE_CONVENTIONS, "async_op"})
"""What parameters of these names are in every collective is settled."""


def check_roles(mapping: Mapping, registry: Registry) -> Problems:
    contract = mapping.entry.contract
    if contract.collective is None:
        return
    ranks = contract.collective.ranks
    known = names_of(mapping.api)  # M404 speaks of the others
    if contract.collective.returns == "sender" and not ranks:
        yield problem("M508", mapping.source.place("contract", "collective", "returns"), "sender")
    if contract.collective.peer and not (ranks and (contract.reads or contract.writes)):
        yield problem("M508", mapping.source.place("contract", "collective", "peer", key=True), "peer")
    if not contract.writes and _reduces(mapping):
        yield problem("M508", mapping.source.place("contract", "collective", key=True), "reduced")
    sound, settled = sound_ranks(contract), {*TAKEN, *contract.reads, *contract.writes}
    for name in ranks:
        if name not in sound and (name in known or name in settled):
            place = mapping.source.place("contract", "collective", "ranks", name, key=True)
            variant = "" if name in settled else "number"
            yield problem("M508", place, variant, name=name, known=listed(sorted(RANK_NAMES)))
    for name, steps, is_key in _tensors(contract.reads, contract.writes):
        if name in TAKEN or (name in ranks and not is_key):
            yield problem("M508", mapping.source.place(*steps, key=is_key), "tensors", name=name)
    for key, demands in (("reads", contract.reads), ("writes", contract.writes)):
        for owner, demand in demands.items():
            for field, names in (("at", demand.at), ("written_at", demand.written_at)):
                for name in names:
                    if name not in ranks and name in known:
                        place = mapping.source.place("contract", key, owner, field)
                        yield problem("M508", place, "at", field=field, name=name)


def _reduces(mapping: Mapping) -> bool:
    routes = (p for c in mapping.counterparts for binding in c.bindings for p in binding.routes)
    uses = (use for route in routes for use in route.words)
    return any((word := WORDS.get(use.word)) and word.applies_to == "reduction" for use in uses)


def sound_ranks(contract: Contract) -> set[str]:
    """The parameters that are listed as ranks and are nothing else."""
    listed_ = RANK_NAMES.intersection(contract.collective.ranks if contract.collective else ())
    return set(listed_ - {*TAKEN, *contract.reads, *contract.writes})


def _tensors(reads: dict[str, Tensors], writes: dict[str, Tensors]) -> Iterator[tuple[str, Steps, bool]]:
    """Every parameter that the contract takes for tensors, its path, and whether it stands there as a key."""
    for key, demands in (("reads", reads), ("writes", writes)):
        for owner, demand in demands.items():
            yield owner, ("contract", key, owner), True
            for field, name in (("like", demand.like), ("own_like", demand.own_like), ("holds", demand.holds)):
                if name is not None:
                    yield name, ("contract", key, owner, field), False


RULES = (Rule("M508", "entry", check_roles),)
