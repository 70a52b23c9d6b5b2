"""What to try of an entry. In: a mapping: contract and facts. Out: a `CollectivePlan`: the role of each torch parameter
and how tensors travel between ranks. Nothing here is typed per API.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, Literal

from mapspore.entry.model import Tensors
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.registry import Mapping
from mapspore.words.vocabulary import POLICIES

Layout = Literal["one", "list", "joined", "split", "some"]
"""How a parameter holds tensors: one; a list with one per rank; one that holds all ranks' along dimension 0, of equal
size or cut by sizes; a list of any length."""


@dataclass(frozen=True, slots=True)
class Part:
    """A parameter that holds tensors, or objects."""

    name: str
    layout: Layout
    read: bool
    written: bool
    at_root: bool = False
    """Whether it is given at the root only."""
    written_at_root: bool = False
    """Whether it is written at the root only, although every rank gives it."""
    objects: bool = False
    splits: str | None = None
    uneven: bool = False
    """Whether its tensors may differ in size from rank to rank."""

    @property
    def per_rank(self) -> bool:
        return self.layout in ("list", "joined", "split")


@dataclass(frozen=True, slots=True)
class CollectiveLimits:
    """What one target cannot do, by its entry."""

    requires: dict[str, str] = field(default_factory=dict)
    completes_at_once: bool = False
    refuses: tuple[str, ...] = ()
    """Parameters that must stay at their default."""
    takes: tuple[str, ...] = ()
    """The dtypes that it takes, if they are fewer than torch's."""


@dataclass(frozen=True, slots=True)
class CollectivePlan:
    """An API and what is known about calling it."""

    name: str
    kind: Literal["collective", "peer", "plain", "unmapped", "object"]
    parameters: tuple[Parameter, ...] = ()
    parts: tuple[Part, ...] = ()
    roles: dict[str, str] = field(default_factory=dict)
    """The other parameters: op, root, group_root, group, async_op, splits, sample, other."""
    root_default: int | None = None
    returns: str | None = None
    runtime: str | None = None
    samples: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    targets: dict[str | None, CollectiveLimits] = field(default_factory=dict)
    reference_lacks: tuple[str, ...] = ()
    """What of a call torch on gloo cannot judge."""

    @property
    def op(self) -> str | None:
        return self.named("op")

    @property
    def root(self) -> str | None:
        return self.named("root")

    @property
    def group(self) -> str | None:
        return self.named("group")

    @property
    def asynchronous(self) -> str | None:
        return self.named("async_op")

    @property
    def sources(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.read)

    @property
    def outputs(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.written)

    @property
    def from_root(self) -> bool:
        """Whether what arrives comes from one rank only."""
        written_there = any(part.written and (part.at_root or part.written_at_root) for part in self.parts)
        return self.root is not None and not written_there

    @property
    def objects(self) -> bool:
        return any(part.objects for part in self.parts)

    @property
    def uneven(self) -> bool:
        return any(part.uneven or part.splits for part in self.parts)

    def named(self, role: str) -> str | None:
        return next((name for name, each in self.roles.items() if each == role), None)

    def default(self, name: str) -> Any:
        """A parameter's default, where it is a literal."""
        stated = next((each.default for each in self.parameters if each.name == name), None)
        try:
            return None if stated is None else ast.literal_eval(stated)
        except (ValueError, SyntaxError):
            return None


def collective_plan(mapping: Mapping) -> CollectivePlan:
    """The plan of an entry."""
    entry, contract = mapping.entry, mapping.entry.contract
    forms = mapping.api.forms if mapping.api else ()
    parameters = forms[0].parameters if forms else ()
    targets: dict[str | None, CollectiveLimits] = {each.id: _limits(each.target) for each in mapping.counterparts}
    if mapping.port != "calls":
        targets = {None: CollectiveLimits()}  # the same code stands behind all of them
    if mapping.port == "none":
        return CollectivePlan(mapping.name, "unmapped", parameters, targets=targets)
    if mapping.api is None or mapping.api.kind not in ("function", "method"):
        return CollectivePlan(mapping.name, "object", parameters, samples=dict(entry.verify.samples), targets=targets)
    both = not contract.reads and not (contract.collective and contract.collective.peer)
    parts = tuple(
        _part(parameter, wanted, name in contract.reads or both, name in contract.writes)
        for parameter in parameters
        for name, wanted in {**contract.reads, **contract.writes}.items()
        if name == parameter.name
    )
    unjudged = entry.verify.reference_lacks
    lacks = (*unjudged.refuses, *unjudged.corrupts, *unjudged.misleads)
    collective = contract.collective
    if collective is None:
        return CollectivePlan(
            mapping.name, "plain", parameters, parts, _roles(mapping, parts), runtime=entry.runtime,
            samples=dict(entry.verify.samples), targets=targets, reference_lacks=lacks,
        )  # fmt: skip
    return CollectivePlan(
        mapping.name, "peer" if collective.peer else "collective", parameters, parts, _roles(mapping, parts),
        collective.rank_default, collective.returns, entry.runtime, dict(entry.verify.samples), targets,
        lacks,
    )  # fmt: skip


def _part(parameter: Parameter, wanted: Tensors, read: bool, written: bool) -> Part:
    layout: Layout = "one"
    if wanted.count == "group":
        layout = "list"
    elif wanted.holds:
        layout = "joined"
    elif wanted.splits:
        layout = "split"
    elif wanted.count == "any":
        layout = "some"
    return Part(
        parameter.name, layout, read, written, bool(wanted.at), bool(wanted.written_at), wanted.objects, wanted.splits,
        wanted.own_like is not None,
    )  # fmt: skip


def _roles(mapping: Mapping, parts: tuple[Part, ...]) -> dict[str, str]:
    contract = mapping.entry.contract
    assert mapping.api is not None
    spaces = {"global": "root", "group": "group_root"}
    ranks = contract.collective.ranks if contract.collective else {}
    roles: dict[str, str] = {}
    for parameter in mapping.api.forms[0].parameters if mapping.api.forms else ():
        name = parameter.name
        if name in {part.name for part in parts}:
            continue
        if name in ranks:
            roles[name] = spaces[ranks[name]]
        elif name in mapping.entry.verify.samples:
            roles[name] = "sample"
        elif name in {part.splits for part in parts}:
            roles[name] = "splits"
        elif name in ("group", "op", "async_op"):
            roles[name] = name
        else:
            roles[name] = "other"
    return roles


def _limits(target: Any) -> CollectiveLimits:
    at_once = any(POLICIES[policy].at_once for policy in target.absent.values())
    refuses = tuple(name for name, policy in target.absent.items() if POLICIES[policy].refuses)
    return CollectiveLimits(dict(target.requires), at_once, refuses, tuple(target.dtypes))
