"""The resolved registry: every type that the stages after `resolve` read. Language-free and frozen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mapspore.entry.load import CASES, Source
from mapspore.entry.model import PLATFORMS, Contract, Entry, Platform, Scalar, Target
from mapspore.facts.snapshot import Api, Facts, Signature
from mapspore.resolve.binding import Binding
from mapspore.resolve.differences import Difference, FormRows, Row, measured_differences, unadapted, worst_first
from mapspore.resolve.evidence_status import ADAPTER, NO_EVIDENCE, NOT_VERIFIED, EvidenceStatus, State
from mapspore.resolve.methods import answered_methods
from mapspore.words.kinds import CONSISTENT, Exemption, Kind, verdict
from mapspore.words.runtime import communicates, members_of, sort_of

_UNSTATED = Contract()
ENDLESS = ("inf", "-inf", "nan")
"""Numbers without a literal, as Python spells them."""

Port = Literal["calls", "value", "runtime", "answer", "unneeded", "rewrite", "none"]
"""What becomes of a torch API: calls of MindSpore's API, its constant, something that the adapter's runtime has, an
answer that is known, nothing because nothing is to be done, another way of writing, or none of these. In the last two
cases the adapter only raises what to do instead."""

Obstacle = Literal["unknown_api", "not_callable", "several_values", "overloads", "signature", "contract"]
"""Why an entry has no adapter: the facts do not know the API; it is nothing that can be called; a constant has several
counterparts; a target leaves out an overload, or a class has several constructors; a signature cannot be written down;
or the contract has a shape that no adapter has."""


def port_of(entry: Entry) -> Port:
    """What becomes of the API of an entry."""
    if entry.migrate is not None:
        return "rewrite"
    if entry.runtime is not None:
        return "runtime"
    if "answers" in entry.model_fields_set:
        return "answer"
    if entry.unneeded is not None:
        return "unneeded"
    return "calls" if entry.targets else "none"


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A target joined with the facts: how it is called, what differs, what follows."""

    target: Target
    id: str
    api: Api | None
    forms: tuple[FormRows, ...] = ()
    """The overloads of torch that it covers, each with what differs there."""
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
    evidence: EvidenceStatus = NO_EVIDENCE
    """What is known by execution of the code that stands behind this counterpart."""

    @property
    def bindings(self) -> tuple[Binding, ...]:
        return tuple(form.binding for form in self.forms)

    def unadapted(self) -> Counterpart:
        """The counterpart of an entry that has no adapter."""
        forms = (
            replace(f, rows=tuple(r.unadapted() for r in f.rows), returns=f.returns.unadapted()) for f in self.forms
        )
        return replace(
            self, forms=tuple(forms), rows=tuple(row.unadapted() for row in self.rows),
            returns=self.returns and self.returns.unadapted(), behaviours=unadapted(self.behaviours),
            call=self.call and self.call.unadapted(), state=tuple(row.unadapted() for row in self.state),
        )  # fmt: skip

    @property
    def platforms(self) -> tuple[str, ...]:
        """Where it can be used: as the entry says, or else as MindSpore documents it."""
        return self.target.platforms or (self.api.platforms if self.api else ())

    def runs_on(self, platform: Platform) -> bool:
        """Whether it can be used on a platform; where nothing names any, it can on all."""
        return not self.platforms or platform in self.platforms

    def with_evidence(self, status: EvidenceStatus) -> Counterpart:
        """The counterpart with what was run of it, and with the differences that were measured."""
        found = measured_differences(status.run or {}) if status.entry_state == "verified" else ()
        if not found:
            return replace(self, evidence=status)
        behaviours = (*self.behaviours, *found)
        kinds = [*self.kinds, *(difference.kind for difference in found)]
        return replace(self, evidence=status, behaviours=behaviours, verdict=verdict(kinds))

    @property
    def without_kernel(self) -> tuple[Platform, ...]:
        """The platforms that cannot run it: nothing documents it for them, or a run has shown it."""
        run = self.evidence.run or {}
        shown = run.get("platform") if run.get("status") in NOT_VERIFIED else None
        return tuple(platform for platform in PLATFORMS if platform == shown or not self.runs_on(platform))

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
    obstacle: Obstacle | None = None
    """Why there is no adapter, if there is none."""
    methods: tuple[str, ...] = ()
    """The methods that mean the same, as torch says; what is said of the function holds for them."""
    lacks: tuple[str, ...] = ()
    """The methods of a class that the class which the runtime has for it does not have."""
    evidence: EvidenceStatus = NO_EVIDENCE
    """The state of the entry's evidence, with what was run where one piece of code stands behind all targets."""

    @property
    def name(self) -> str:
        return self.entry.torch

    @property
    def port(self) -> Port:
        """What becomes of the API."""
        port = port_of(self.entry)
        return "value" if port == "calls" and self.api is not None and self.api.kind == "constant" else port

    @property
    def answer(self) -> Scalar | dict[Platform, Scalar]:
        """The answer that the entry states. YAML has no word for an infinite number: a text stands for the number that
        it names, if torch has a number there."""
        stated, api = self.entry.answers, self.api
        number = isinstance(stated, str) and stated in ENDLESS and api is not None and api.returns == "float"
        return float(str(stated)) if number else stated

    @property
    def only_raises(self) -> bool:
        """Whether all that an adapter can do is to raise what to do instead."""
        return self.port in ("rewrite", "none")

    @property
    def is_runtime_member(self) -> bool:
        """Whether it belongs to a class that the runtime has, and comes with it; a method that a function of the
        runtime stands behind has a module of its own."""
        of_class = self.port == "runtime" and self.api is not None and self.api.kind in ("method", "property")
        return of_class and not self.is_function_of_runtime

    @property
    def is_function_of_runtime(self) -> bool:
        """Whether a function of the runtime stands behind it: behind a function, or a method of tensors."""
        called = self.api is not None and self.api.kind in ("function", "method")
        return called and self.entry.runtime is not None and sort_of(self.entry.runtime) == "function"

    @property
    def needs_ranks(self) -> bool:
        """Whether only several processes can show what it does: they communicate by it, or what the runtime has for it
        is about their groups. A refusal, and a program that starts its own processes, need one."""
        runtime = self.entry.runtime
        return self.entry.contract.collective is not None or (runtime is not None and communicates(runtime))

    @property
    def needs_example(self) -> bool:
        """Whether a page must show a program, before and after, with what it printed. Not where something is only read,
        asked, let be or refused; nor of what one process has shown to work and is written as in torch: a function, a
        method, a class of the runtime. Its signatures and its evidence tell what a line of code would, as do programs
        that are its cases. A class of MindSpore's, several processes, and code that is written in another way are
        shown. What needs no program may have one all the same."""
        kind = self.api.kind if self.api is not None else None
        if kind == "property" or self.port in ("value", "answer", "unneeded", "none"):
            return False
        if CASES in self.source.examples:
            return self.evidence.state != "verified"
        as_in_torch = kind in ("function", "method") or self.port == "runtime"
        plain = as_in_torch and self.port != "rewrite" and not self.needs_ranks
        known = (self.evidence, *(counterpart.evidence for counterpart in self.counterparts))
        return not plain or all(each.state != "verified" for each in known)

    @property
    def members(self) -> frozenset[str]:
        """The members that the entry of a class answers for: those of the runtime's class, those that it speaks of."""
        own = members_of(self.entry.runtime) if self.entry.runtime is not None else None
        return frozenset(self.entry.contract.methods) | (own or frozenset())

    @property
    def offered_names(self) -> tuple[str, ...]:
        """Every name under which the adapter has it: torch's, those that the entry states, and the other modules in
        which torch keeps the same object."""
        places = self.api.places if self.api is not None else ()
        return tuple(dict.fromkeys((self.name, *self.entry.aliases, *self.methods, *places)))

    @property
    def has_adapter(self) -> bool:
        """Whether an adapter is generated."""
        return self.obstacle is None

    def preferred(self, platform: Platform | None = None) -> Counterpart | None:
        """The counterpart that is taken before others: the first, or the first that a platform has."""
        return next((c for c in self.counterparts if platform is None or c.runs_on(platform)), None)

    @property
    def call_forms(self) -> tuple[Signature, ...]:
        """torch's overloads, as the preferred counterpart treats them."""
        preferred = self.preferred()
        return tuple(binding.torch for binding in preferred.bindings) if preferred else ()

    def counterpart(self, target: str | None) -> Counterpart | None:
        """The counterpart with a short name; without one, the preferred."""
        return next((c for c in self.counterparts if target in (None, c.id)), None)

    @property
    def verdict(self) -> str:
        """The verdict of the preferred target, or of what becomes of the API without one."""
        preferred = self.preferred()
        return preferred.verdict if preferred else self.verdict_alone

    @property
    def verdict_alone(self) -> str:
        """The verdict where there is no target: a constant whose value is stated is the same."""
        if self.port == "answer" and self.api is not None and self.api.kind == "constant":
            return CONSISTENT
        kinds = {"answer": Kind.ANSWERED, "unneeded": Kind.UNNEEDED, "runtime": Kind.PROVIDED}
        return kinds.get(self.port, Kind.UNMAPPED).value

    def with_evidence(self, runs: dict[str, dict[str, Any]], fits: bool) -> Mapping:
        """The mapping with what was run of it: of each target, or where one piece of code stands behind all of them, of
        that; where that is of the runtime, of MindSpore's own counterparts too. It is stale if it does not fit the
        entry as it is, or lacks something."""
        one = self.port not in ("calls", "runtime")
        names = [ADAPTER if one else c.id for c in self.counterparts]
        needed = names if self.port == "calls" and names else [ADAPTER]
        state: State = "verified" if fits and runs.keys() >= {*needed} else "stale"
        found = zip(self.counterparts, names, strict=True)
        counterparts = tuple(c.with_evidence(EvidenceStatus(state, runs.get(name))) for c, name in found)
        return replace(self, counterparts=counterparts, evidence=EvidenceStatus(state, runs.get(ADAPTER)))


@dataclass(frozen=True, slots=True)
class Registry:
    """All mappings, sorted by name, and the facts they were joined with."""

    mappings: tuple[Mapping, ...]
    torch: Facts
    mindspore: Facts
    by_name: dict[str, Mapping] = field(default_factory=dict)
    """By torch name, aliases included: the entry that answers for it."""

    def answering(self, name: str) -> Mapping | None:
        """The entry that answers for any torch name: for an API, another name or place of it, a method, or a member
        that a class inherits; or for a member of a class that the runtime has, or whose entry speaks of it."""
        found = self.by_name.get(name) or self.by_name.get(self.torch.resolve(name) or "")
        owner, _, member = name.rpartition(".")
        of_class = self.by_name.get(owner) or self.by_name.get(self.torch.resolve(owner) or "")
        return found or (of_class if of_class and member in of_class.members else None)

    def on(self, platform: Platform) -> Registry:
        """A registry that prefers what a platform has a kernel for, whatever the entries prefer."""
        ordered = (
            replace(
                mapping, counterparts=tuple(sorted(mapping.counterparts, key=lambda c: platform in c.without_kernel))
            )
            for mapping in self.mappings
        )
        return self.with_mappings(ordered)

    def with_mappings(self, mappings: Iterable[Mapping]) -> Registry:
        """A registry of these mappings with the same facts."""
        return registry_of(mappings, self.torch, self.mindspore)


def _methods(mapping: Mapping, named: set[str], torch: Facts) -> tuple[str, ...]:
    has_code = mapping.port in ("calls", "runtime")
    found = answered_methods(mapping.name, mapping.api, torch) if has_code else ()
    return tuple(name for name in found if name not in named)


def _lacking(mapping: Mapping, named: set[str], torch: Facts) -> tuple[str, ...]:
    """What a class of the runtime has nothing for; nothing is said of a class whose members have entries."""
    name = mapping.entry.runtime
    if name is None or members_of(name) is None:
        return ()
    own = torch.methods_by_class.get(mapping.name, ())
    if any(f"{mapping.name}.{each}" in named for each in own):
        return ()
    return tuple(sorted({*own} - mapping.members))


def registry_of(mappings: Iterable[Mapping], torch: Facts, mindspore: Facts) -> Registry:
    """Mappings in order, each found under all its names; the first entry of a name answers for it. A method without an
    entry of its own is answered by that of its function."""
    ordered = sorted(mappings, key=lambda mapping: (mapping.name, mapping.source.path))
    named = {mapping.name for mapping in ordered}
    ordered = [
        replace(mapping, methods=_methods(mapping, named, torch), lacks=_lacking(mapping, named, torch))
        for mapping in ordered
    ]
    by_name: dict[str, Mapping] = {}
    for mapping in ordered:
        by_name.setdefault(mapping.name, mapping)
    for mapping in ordered:
        # The facts know some aliases too: names of one object, or whose docstring says so.
        for alias in (torch.resolve(mapping.name) or mapping.name, *mapping.entry.aliases, *mapping.methods):
            by_name.setdefault(alias, mapping)
    return Registry(tuple(ordered), torch, mindspore, by_name)
