"""The resolved registry: every type that the stages after `resolve` read. Language-free and frozen."""

from __future__ import annotations

from dataclasses import dataclass, field

from mapspore.entry.load import Source
from mapspore.entry.model import Contract, Entry, Target
from mapspore.facts.snapshot import Api, Facts
from mapspore.facts.snapshot import Form as Signature
from mapspore.resolve.binding import Binding
from mapspore.resolve.differences import Difference, Row, worst_first
from mapspore.resolve.evidence_status import Standing
from mapspore.words.kinds import Exemption, Kind

_UNSTATED = Contract()


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
