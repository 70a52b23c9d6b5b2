"""Adapters of communication between ranks: torch's signature with the contract's checks, and MindSpore's call.

In goes a mapping; out comes a `CollectiveView`: names from the facts, values only through `repr`, the vocabulary's
words as calls of the runtime's functions. What the module looks like stands in `templates/code/collective.py.j2`.
"""

from __future__ import annotations

from dataclasses import dataclass

from mapspore.adapter.declaration import Declaration, Refusal
from mapspore.adapter.expressions import argument, options
from mapspore.adapter.python_source import WIDTH, call, repr_, signature
from mapspore.adapter.runtime_names import Names
from mapspore.entry.model import Collective, Tensors
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import ArgumentRoute, Binding
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.words.vocabulary import HANDLE, POLICIES, PREDICATES, WORDS

_MODULES = {"mindspore.mint.distributed": "mint", "mindspore.communication.comm_func": "comm_func"}
"""MindSpore modules that the runtime offers under a short name, so that a CPU can stand in for them."""


@dataclass(frozen=True, slots=True)
class Check:
    """The contract's demands on one argument."""

    name: str
    is_returned: bool
    """Whether the check gives back what is used from then on."""
    call: str
    splits: str
    """The parameter that says how the tensor is cut, or nothing."""


@dataclass(frozen=True, slots=True)
class CollectiveTarget:
    """The function of one target: its own conditions, MindSpore's call, the delivery."""

    signature: str
    demands: tuple[str, ...]
    """Calls of predicates, each with the name of the argument and what the target needs."""
    refusals: tuple[Refusal, ...]
    handed_to_runtime: tuple[tuple[str, str], ...]
    """Arguments with no place that the runtime takes before the call: its method, and the argument."""
    in_place: tuple[tuple[str, str], ...]
    """Outputs that MindSpore writes itself, and the tensor that it is given for each."""
    returned: str
    """The names of what MindSpore returns, or nothing."""
    call: str
    finish: str


@dataclass(frozen=True, slots=True)
class CollectiveView:
    """The module of a collective."""

    torch: str
    signature: str
    docstring: str
    group: str
    outsider_raises: bool
    returns_work: bool
    outsider_value: str
    """What a process outside the group gets, if it is no `Work`."""
    root: str
    """How the rank is found that sends to or receives from the others, or nothing."""
    checks: tuple[Check, ...]
    reduction: str
    run: str
    returns_sender: bool
    targets: tuple[CollectiveTarget, ...]
    registered: tuple[str, ...]


class Roles:
    """What the parameters of a call about process groups are: tensors, ranks, the group, the reduction."""

    def __init__(self, mapping: Mapping, parameters: tuple[Parameter, ...], names: Names) -> None:
        contract = mapping.entry.contract
        self.collective: Collective | None = contract.collective
        self.tensors: dict[str, Tensors] = {**contract.reads, **contract.writes}
        ranks = self.collective.ranks if self.collective else {}
        self.ranks = [parameter.name for parameter in parameters if parameter.name in ranks]
        self.reducing = next((name for name in _sources_of(mapping, "reduction")), None)
        self.grouping = next((name for name in _sources_of(mapping, "group")), None)
        self.waits = any(parameter.name == "async_op" for parameter in parameters)
        self._names = names

    def type_of(self, parameter: Parameter) -> str:
        """The type of a parameter in torch's signature."""
        if parameter.name in self.tensors:
            optional = " | None" if self.tensors[parameter.name].at else ""
            return f"{self.tensor_type(parameter.name)}{optional}"
        if parameter.name == self.grouping:
            return self._names.use("Group")
        if parameter.name in self.ranks:
            return "int | None"
        return "bool" if parameter.name == "async_op" and self.collective else self._names.any()

    def tensor_type(self, name: str) -> str:
        """The type of what was checked."""
        demand = self.tensors[name]
        each = self._names.any() if demand.objects else self._names.use("Tensor")
        return f"list[{each}]" if demand.count else each


def collective_view(mapping: Mapping, names: Names) -> CollectiveView:
    """The module of a collective: the public function, and a function per target."""
    return _CollectiveBody(mapping, names).view()


class _CollectiveBody:
    """The statements of a collective's functions."""

    def __init__(self, mapping: Mapping, names: Names) -> None:
        collective = mapping.entry.contract.collective
        assert collective is not None
        self.mapping = mapping
        self.names = names
        self.collective = collective
        self.contract = mapping.entry.contract
        self.parameters = mapping.call_forms[0].parameters
        self.roles = Roles(mapping, self.parameters, names)
        self.declaration = Declaration(mapping, self.parameters, names, self.roles.type_of)

    def view(self) -> CollectiveView:
        for name in ("Api", "Collective", "Target", "Work"):
            self.names.use(name)
        works = self.roles.waits or self.collective.returns == "work"
        sender = self.collective.returns == "sender"
        returned = "Work | None" if works else "int" if sender else "None"
        return CollectiveView(
            torch=self.mapping.name,
            signature=self.declaration.signature(self.mapping.name.rpartition(".")[2], returned),
            docstring=self.declaration.docstring(),
            group=self.roles.grouping or "None",
            outsider_raises=self.collective.non_member == "raises",
            returns_work=works,
            outsider_value=" -1" if self.collective.non_member == "returns_minus_one" else "",
            root=self.root(),
            checks=tuple(check for name in self.in_order() if (check := self.check(name, self.roles.tensors[name]))),
            reduction=self.reduction(),
            run=f"call.run({', '.join([*self.handed_over(), self.at_once()])})",
            returns_sender=sender,
            targets=tuple(self.target(counterpart) for counterpart in self.mapping.counterparts),
            registered=tuple(self.registered(counterpart) for counterpart in self.mapping.counterparts),
        )

    def root(self) -> str:
        if not self.roles.ranks:
            return ""
        pairs = {self.collective.ranks[name]: f"({repr_(name)}, {name})" for name in self.roles.ranks}
        default = self.collective.rank_default
        found = [pairs["global"], pairs["group"], *([] if default is None else [f"default={default!r}"])]
        return f"call.{'peer' if self.collective.peer else 'root'}({', '.join(found)})"

    def check(self, name: str, demand: Tensors) -> Check | None:
        """The contract's demands on one argument; none where any object will do."""
        read = name in self.contract.reads
        if demand.objects and not demand.count and read:
            return None
        compared = (("like", demand.like), ("own_like", demand.own_like), ("holds", demand.holds))
        parts = [repr_(name), name, *(f"{how}={other}" for how, other in compared if other)]
        parts += ["count=call.size"] if demand.objects and demand.count == "group" else []
        parts += ["at=root"] if demand.at else []
        parts += ["read=True"] if demand.objects and demand.at and read else []
        kind = "objects" if demand.objects else "tensors" if demand.count else "tensor"
        is_returned = kind == "tensors" or (demand.objects and bool(demand.at))
        fits = WIDTH - len(f"{name} = ") * is_returned
        return Check(name, is_returned, call(f"call.{kind}", parts, fits), demand.splits or "")

    def in_order(self) -> list[str]:
        """The tensor parameters in torch's order, each after the one that it is compared with."""
        waiting = [p.name for p in self.parameters if p.name in self.roles.tensors]
        done: list[str] = []
        while waiting:
            for name in waiting:
                demand = self.roles.tensors[name]
                if {demand.like, demand.own_like, demand.holds} - {None, name} <= set(done):
                    break
            waiting.remove(name)
            done.append(name)
        return done

    def reduction(self) -> str:
        """The check that the reduction exists for the dtype, or nothing."""
        name = self.roles.reducing
        if name is None:
            return ""
        first = next(iter(self.contract.writes))
        sample = f"{first}[0]" if self.contract.writes[first].count else first
        return f"call.reduction({repr_(name)}, {name}, {sample})"

    def at_once(self) -> str:
        """The last argument of a target's function: whether to return before the communication has ended."""
        return "async_op" if self.roles.waits else repr(self.collective.returns == "work")

    def handed_over(self) -> list[str]:
        """What the public function hands to a target before that: tensors, root, reduction, the rest."""
        roles = self.roles
        names = [p.name for p in self.parameters if p.name in roles.tensors]
        names += ["root"] if roles.ranks else []
        names += ["reduction"] if roles.reducing else []
        settled = {*roles.tensors, *roles.ranks, roles.reducing, roles.grouping, "async_op"}
        return [*names, *(p.name for p in self.parameters if p.name not in settled)]

    def received(self) -> list[str]:
        """The parameters of a target's function."""
        parts = ["call: Collective"]
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in self.handed_over():
            if name in ("root", "reduction"):
                kind = self.names.use(name.capitalize())
            elif name in self.roles.tensors:
                kind = self.roles.tensor_type(name)
            else:
                kind = self.roles.type_of(known[name])
            parts.append(f"{name}: {kind}")
        return [*parts, "async_op: bool"]

    def target(self, counterpart: Counterpart) -> CollectiveTarget:
        binding = counterpart.bindings[0]
        treatment = binding.treatment
        expressions = {route.receiver.name: self.expression(route) for route in binding.routes}
        in_place: dict[str, str] = {}
        for route in binding.routes:
            if written := self.written_in_place(route, binding):
                in_place[written] = expressions[route.receiver.name]
                expressions[route.receiver.name] = f"{written}_in_place"
        arguments = [argument(route.receiver, expressions[route.receiver.name]) for route in binding.routes]
        needed = {HANDLE, *(treatment.hand_back or ()), *(delivery.from_ for delivery in treatment.fill.values())}
        return CollectiveTarget(
            signature=signature(f"_{counterpart.id}", self.received(), "Work | None"),
            demands=tuple(self.demand(*pair) for pair in treatment.requires.items()),
            refusals=self.declaration.refusals(binding),
            handed_to_runtime=tuple((m, p.name) for p, policy in binding.absent if (m := POLICIES[policy].method)),
            in_place=tuple(in_place.items()),
            returned=", ".join(name if name in needed else f"_{name}" for name in treatment.returns or ()),
            call=call(self.function(counterpart), arguments),
            finish=self.finish(binding, in_place),
        )

    def demand(self, name: str, predicate: str) -> str:
        """What only this target demands of an argument."""
        needs = PREDICATES[predicate].phrase("needs", "en")
        return f"{self.names.use(predicate)}({name}), {repr_(name)}, {repr_(needs)}"

    def function(self, counterpart: Counterpart) -> str:
        """The MindSpore function as the generated code calls it."""
        module, _, name = counterpart.target.mindspore.rpartition(".")
        if module in _MODULES:
            return f"{self.names.use(_MODULES[module])}.{name}"
        return f"{self.names.use('mindspore')}.{counterpart.target.mindspore.removeprefix('mindspore.')}"

    def expression(self, route: ArgumentRoute) -> str:
        """What a MindSpore parameter receives: the torch argument, made whole, through its words."""
        if not route.sources:
            return repr_(route.value)
        value = route.sources[0].name
        demand = self.roles.tensors.get(value)
        raw = any(
            (word := WORDS[use.word]).takes_unprepared_tensors or word.applies_to != "value" for use in route.words
        )
        shaped = demand is not None and not demand.objects and not raw
        encoded = shaped and self.roles.reducing is not None
        if shaped and not encoded:
            value = f"{self.names.use('whole')}({value})"
        # what only looks at a tensor in another shape comes before the encoding, which has a shape of its own
        for use in route.words:
            word = WORDS[use.word]
            if encoded and word.changes != "nothing":
                value, encoded = f"reduction.encode({value})", False
            subject = {"value": value, "group": "call.group"}.get(word.applies_to, word.applies_to)
            context = ["call.size" for need in word.needs if need == "size"]
            consulted = route.also_reads if word.consults else ()
            value = f"{self.names.use(use.word)}({', '.join([subject, *consulted, *context, *options(use)])})"
        return f"reduction.encode({value})" if encoded else value

    def written_in_place(self, route: ArgumentRoute, binding: Binding) -> str:
        """The output parameter that MindSpore writes itself when it receives this, or nothing."""
        names = [source.name for source in route.sources]
        if len(names) != 1 or names[0] not in self.contract.writes or names[0] in binding.treatment.fill:
            return ""
        return "" if self.contract.writes[names[0]].objects else names[0]

    def finish(self, binding: Binding, in_place: dict[str, str]) -> str:
        """The last statement: delivers the outputs, now or when the caller waits."""
        values = {name: f"{name}_in_place" for name in in_place}
        for name, delivery in binding.treatment.fill.items():
            value = delivery.from_
            for use in delivery.by:
                if not WORDS[use.word].delivers:
                    value = f"{self.names.use(use.word)}({', '.join([value, name, *options(use)])})"
            values[name] = value
        parts = ["async_op", HANDLE if HANDLE in (binding.treatment.returns or ()) else "None"]
        for output, value in values.items():
            parts += [output, f"lambda: reduction.decode({value})" if self.roles.reducing else f"lambda: {value}"]
            parts += ["at=root"] if self.contract.writes[output].written_at else []
        return f"call.finish({', '.join(parts)})"

    def registered(self, counterpart: Counterpart) -> str:
        takes = counterpart.target.dtypes
        parts = [repr_(counterpart.id), repr_(counterpart.target.mindspore), f"_{counterpart.id}"]
        return call("Target", [*parts, *([f"takes={repr_(takes)}"] if takes else [])], WIDTH - 4)


def _sources_of(mapping: Mapping, subject: str) -> list[str]:
    """The torch parameters of which the call makes a subject for words, such as its group, in some target."""
    return [
        source.name
        for counterpart in mapping.counterparts
        for binding in counterpart.bindings
        for route in binding.routes
        for source in route.sources
        if any(WORDS[use.word].applies_to == subject for use in route.words)
    ]


def declaration_of(mapping: Mapping, parameters: tuple[Parameter, ...], names: Names) -> Declaration:
    """torch's parameters, each with the type that its role gives it."""
    return Declaration(mapping, parameters, names, Roles(mapping, parameters, names).type_of)
