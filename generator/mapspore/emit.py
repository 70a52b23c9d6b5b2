"""From a mapping to the adapter's Python: what a template prints, line by line, each following from a field.

In goes a mapping; out come `ModuleView`s whose strings are Python already: names from the facts, values only
through `repr`, the vocabulary's words as calls of the runtime's functions.
"""

from __future__ import annotations

import ast
import keyword
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from mapspore.bind import Binding, Passing
from mapspore.facts.snapshot import Parameter
from mapspore.model import Contract, Dtype, Entry, Tensors, WordUse
from mapspore.phrases import phrase
from mapspore.python_source import WIDTH, as_sorted, head, kinds_taken, repr_, statement
from mapspore.resolve import Counterpart, Mapping
from mapspore.vocabulary import HANDLE, POLICIES, WORDS

_MODULES = {"mindspore.mint.distributed": "mint", "mindspore.communication.comm_func": "comm_func"}
"""MindSpore modules that the runtime offers under a short name, so that a CPU can stand in for them."""


@dataclass(frozen=True, slots=True)
class FunctionView:
    """A function: its first line or lines, its docstring (empty for a target's), and its statements."""

    head: str
    doc: str
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModuleView:
    """A generated module."""

    path: str
    source: str
    title: str
    typing: tuple[str, ...]
    runtime: tuple[str, ...]
    """Names imported from the runtime, sorted."""
    name: str
    overloads: tuple[str, ...]
    """The declarations of the call forms, where there are several."""
    public: FunctionView
    targets: tuple[FunctionView, ...]
    forms: tuple[str, ...]
    """The call forms as data, where there are several: what `Forms` is made of."""
    registration: tuple[str, ...]
    """What `Api` is made of; nothing for an API without a counterpart."""


def has_adapter(mapping: Mapping) -> bool:
    """Whether an adapter is generated: for functions whose every call form all counterparts take, in a known shape."""
    api, contract = mapping.api, mapping.entry.contract
    if api is None or api.kind != "function" or not api.forms:
        return False
    if not mapping.counterparts:
        return True
    taken = all(counterpart.bindings and not counterpart.untreated for counterpart in mapping.counterparts)
    return (
        taken
        and _known_shape(contract, mapping)
        and all(_expressible(b) for c in mapping.counterparts for b in c.bindings)
    )


def _known_shape(contract: Contract, mapping: Mapping) -> bool:
    """Collectives have one output and `async_op`, and name a rank in both spaces or in none; others have no outputs."""
    collective = contract.collective
    if collective is None:
        return not contract.outputs
    names = {p.name for c in mapping.counterparts for b in c.bindings for p in b.torch.parameters}
    spaces = sorted(collective.ranks.values())
    return (
        len(contract.outputs) == 1 and "async_op" in names and "group" in names and spaces in ([], ["global", "group"])
    )


def _expressible(binding: Binding) -> bool:
    """Whether both signatures can be written down: no variadics, no keywords, defaults that are literals."""
    both = (*binding.torch.parameters, *(passing.receiver for passing in binding.passings))
    if any(p.kind.startswith("var_") or keyword.iskeyword(p.name) for p in both):
        return False
    return all(
        p.default is None or _is_literal(p.default) or _is_reduce_op(p.default) for p in binding.torch.parameters
    )


def _is_literal(source: str) -> bool:
    try:
        ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def module_of(torch: str) -> str:
    """The adapter's module for a torch name: `torch.distributed.gather` lives in `torchspore.distributed`."""
    return "torchspore" + torch.rpartition(".")[0].removeprefix("torch")


def module_path(torch: str) -> str:
    folder = module_of(torch).replace(".", "/")
    return f"adapter/{folder}/_{torch.rpartition('.')[2]}.py"


def emit(mapping: Mapping) -> ModuleView:
    """The module of one entry."""
    if not mapping.counterparts:
        return _without_counterpart(mapping)
    calls = [_Call(mapping, number) for number in range(len(mapping.counterparts[0].bindings))]
    call = calls[0]
    if len(calls) == 1:
        targets = [call.target(counterpart) for counterpart in mapping.counterparts]
        public = call.public()
    else:
        targets = [view for c in mapping.counterparts for view in _by_form(calls, c)]
        public = _matching(calls, mapping)
    registration = [
        repr_(mapping.name),
        *(f"Target({repr_(c.id)}, {repr_(c.target.mindspore)}, _{c.id}{_lacks(c)})" for c in mapping.counterparts),
    ]
    several = len(calls) > 1
    used = {"Api", "Target", *(("Forms", "Slot") if several else ()), *(name for each in calls for name in each.used)}
    typing = {*(("Any", "overload") if several else ()), *(name for each in calls for name in each.typing)}
    return _module(
        mapping, typing, used, public, targets, registration,
        overloads=[each.public().head + " ..." for each in calls] if several else [],
        forms=[line for each in calls for line in each.slots()] if several else [],
    )  # fmt: skip


def _lacks(counterpart: Counterpart) -> str:
    """The dtypes that a target with a narrower range does not take, so that another one is chosen for them."""
    takes = counterpart.target.dtypes
    return f", {repr_(tuple(dtype for dtype in get_args(Dtype) if dtype not in takes))}" if takes else ""


def _module(
    mapping: Mapping, typing: set[str], used: set[str], public: FunctionView, targets: list[FunctionView],
    registration: list[str], overloads: list[str], forms: list[str],
) -> ModuleView:  # fmt: skip
    return ModuleView(
        path=module_path(mapping.name),
        source=mapping.source.path,
        title=f"{mapping.name} on MindSpore.",
        typing=tuple(sorted(typing)),
        runtime=tuple(sorted(used, key=as_sorted)),
        name=mapping.name.rpartition(".")[2],
        overloads=tuple(overloads),
        public=public,
        targets=tuple(targets),
        forms=tuple(forms),
        registration=tuple(registration),
    )


def _matching(calls: list[_Call], mapping: Mapping) -> FunctionView:
    """The public function of an API with several call forms: it finds the one that is meant."""
    body = ("form, values = _FORMS.match(args, kwargs)", "return _API.call(form, values)")
    name = mapping.name.rpartition(".")[2]
    return FunctionView(head(name, ["*args: Any", "**kwargs: Any"], "Any"), calls[0].doc(), body)


def _by_form(calls: list[_Call], counterpart: Counterpart) -> list[FunctionView]:
    """A target's functions, one per call form, and the one that picks among them."""
    name = f"_{counterpart.id}"
    parts = [call.target(counterpart, f"{name}_{number}") for number, call in enumerate(calls)]
    listed = ", ".join(f"{name}_{number}" for number in range(len(calls)))
    picking = head(name, ["form: int", "values: list[Any]"], "Any")
    return [*parts, FunctionView(picking, "", (f"return ({listed})[form](*values)",))]


def _without_counterpart(mapping: Mapping) -> ModuleView:
    """The module of an API that MindSpore has nothing for: torch's signature, and the sentence that helps."""
    assert mapping.api is not None and mapping.entry.unmapped is not None
    name = mapping.name.rpartition(".")[2]
    instead = " ".join(mapping.entry.unmapped.instead.en.split())
    said = f"{mapping.name} has no counterpart in MindSpore. {instead}"
    pieces = textwrap.wrap(said, WIDTH - 12, drop_whitespace=False)
    raising = ["raise NoCounterpart(", *(f"    {repr_(piece)}" for piece in pieces), ")"]
    summary = " ".join(mapping.entry.summary.en.split()).replace("\\", "\\\\").replace('"', '\\"')
    view = FunctionView(head(name, ["*args: Any", "**kwargs: Any"], "NoReturn"), summary, tuple(raising))
    return _module(mapping, {"Any", "NoReturn"}, {"NoCounterpart"}, view, [], [], [], [])


class _Call:
    """Collects, while the functions are written, which names they use."""

    def __init__(self, mapping: Mapping, number: int) -> None:
        self.mapping = mapping
        self.number = number
        self.entry: Entry = mapping.entry
        self.contract: Contract = mapping.entry.contract
        self.binding: Binding = mapping.counterparts[0].bindings[number]
        self.parameters: tuple[Parameter, ...] = self.binding.torch.parameters
        self.tensors: dict[str, Tensors] = {**self.contract.inputs, **self.contract.outputs}
        self.collective = self.contract.collective is not None
        ranks = self.contract.collective.ranks if self.contract.collective else {}
        self.ranks = [parameter.name for parameter in self.parameters if parameter.name in ranks]
        self.reducing = next((name for name in _sources_of(mapping, "reduce_op")), None)
        self.grouping = next((name for name in _sources_of(mapping, "group_name")), None)
        self.used: set[str] = set()
        self.typing: set[str] = set()

    def use(self, name: str) -> str:
        self.used.add(name)
        return name

    # The public function: torch's signature, then the contract's checks.

    def public(self) -> FunctionView:
        returns = f"{self.use('Work')} | None" if self.collective else self.any()
        parts = []
        starred = False
        for parameter in self.parameters:
            if parameter.kind == "keyword_only" and not starred:
                parts.append("*")
                starred = True
            parts.append(self.declared(parameter))
        name = self.mapping.name.rpartition(".")[2]
        body = self.checks() if self.collective else []
        arguments = ", ".join(self.handed_over())
        body.append(f"return call.run({arguments})" if self.collective else f"return _API.call({arguments})")
        return FunctionView(head(name, parts, returns), self.doc(), tuple(body))

    def declared(self, parameter: Parameter) -> str:
        """The parameter in the signature, with its type and torch's default."""
        lead = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
        text = f"{lead}{parameter.name}: {self.type_of(parameter)}"
        return text if parameter.default is None else f"{text} = {self.default(parameter.default)}"

    def default(self, source: str) -> str:
        """torch's default; one that is no literal must be a name that the runtime has."""
        try:
            return repr_(ast.literal_eval(source))
        except (ValueError, SyntaxError):
            return (
                f"{self.use(source.partition('.')[0])}.{source.partition('.')[2]}" if _is_reduce_op(source) else "None"
            )

    def type_of(self, parameter: Parameter) -> str:
        name, demand = parameter.name, self.tensors.get(parameter.name)
        if demand is not None:
            tensor = f"list[{self.use('Tensor')}]" if demand.count else self.use("Tensor")
            return f"{tensor} | None" if demand.at else tensor
        if name == self.grouping:
            return self.use("Group")
        if name in self.ranks:
            return "int | None"
        return "bool" if name == "async_op" and self.collective else self.any()

    def any(self) -> str:
        self.typing.add("Any")
        return "Any"

    def checks(self) -> list[str]:
        """Everything that is settled before anything is sent."""
        body = [f"call = {self.use('Collective')}(_API, {self.grouping})", "if call.outsider:"]
        body.append("    return call.outside()")
        if self.ranks:
            spaces = self.contract.collective.ranks if self.contract.collective else {}
            pairs = {spaces[name]: f"({repr_(name)}, {name})" for name in self.ranks}
            default = self.contract.collective.rank_default if self.contract.collective else None
            last = "" if default is None else f", default={default!r}"
            body.append(f"root = call.root({pairs['global']}, {pairs['group']}{last})")
        for name in self.in_order():
            demand = self.tensors[name]
            if not demand.count:
                body.append(f"call.tensor({repr_(name)}, {name})")
                continue
            parts = [repr_(name), name]
            parts += [f"each_like={demand.like}"] if demand.like else []
            parts += [f"own_like={demand.own_like}"] if demand.own_like else []
            parts += ["at=root"] if demand.at else []
            body.append(f"{name} = call.tensors({', '.join(parts)})")
        if self.reducing:
            first = next(iter(self.contract.outputs))
            sample = f"{first}[0]" if self.contract.outputs[first].count else first
            body.append(f"reduction = call.reduction({repr_(self.reducing)}, {self.reducing}, {sample})")
        return body

    def in_order(self) -> list[str]:
        """The tensor parameters in torch's order, each after the one that it is compared with."""
        waiting = [p.name for p in self.parameters if p.name in self.tensors]
        done: list[str] = []
        while waiting:
            for name in waiting:
                demand = self.tensors[name]
                if {demand.like, demand.own_like} - {None, name} <= set(done):
                    break
            waiting.remove(name)
            done.append(name)
        return done

    def handed_over(self) -> list[str]:
        """What the public function hands to a target: tensors, root, reduction, the rest, `async_op` last."""
        if not self.collective:
            return [parameter.name for parameter in self.parameters]
        names = [p.name for p in self.parameters if p.name in self.tensors]
        names += ["root"] if self.ranks else []
        names += ["reduction"] if self.reducing else []
        settled = {*self.tensors, *self.ranks, self.reducing, self.grouping, "async_op"}
        names += [p.name for p in self.parameters if p.name not in settled]
        return [*names, "async_op"]

    def doc(self) -> str:
        """The docstring's text: the summary, and what it calls."""
        calls = [f"- {c.target.mindspore} ({c.id})" for c in self.mapping.counterparts]
        summary = textwrap.fill(" ".join(self.entry.summary.en.split()), WIDTH - 8)
        text = "\n".join([summary, "", "Calls one of:", *calls])
        return text.replace("\\", "\\\\").replace('"', '\\"')

    # A target's function: its own conditions, MindSpore's call, the delivery.

    def target(self, counterpart: Counterpart, called: str = "") -> FunctionView:
        binding = counterpart.bindings[self.number]
        treatment = binding.treatment
        body: list[str] = []
        for name, predicate in treatment.accepts.items():
            needs = repr_(phrase("needs", predicate, "en"))
            body.append(f"call.accepts({self.use(predicate)}({name}), {repr_(name)}, {needs})")
        for parameter, policy in binding.absent:
            if POLICIES[policy].refuses:
                default = self.default(parameter.default or "None")
                parts = [repr_(self.mapping.name), repr_(parameter.name), parameter.name, default]
                body.append(f"{self.use('refuse')}({', '.join(parts)})")
        arguments: list[str] = []
        values: dict[str, str] = {}
        for passing in binding.passings:
            expression = self.expression(passing)
            written = self.written_in_place(passing, binding)
            if written:
                kept = f"{written}_in_place"
                body.append(f"{kept} = {expression}")
                values[written] = kept
                expression = kept
            arguments.append(_argument(passing.receiver, expression))
        for name, delivery in treatment.outputs.items():
            value = delivery.from_
            for use in delivery.by:
                value = value if use.word == "into" else f"{self.use(use.word)}({value}, {name}{_options(use)})"
            values[name] = value
        needed = {HANDLE, *(treatment.result or ()), *(delivery.from_ for delivery in treatment.outputs.values())}
        returned = ", ".join(name if name in needed else f"_{name}" for name in treatment.returns or ())
        result = f"{returned} = " if self.collective and returned else "" if self.collective else "return "
        if not self.collective and treatment.result is not None and treatment.result != treatment.returns:
            result = f"{returned} = "
        body += statement(result, self.function(counterpart), arguments)
        if self.collective:
            body.append(self.finish(treatment.returns or (), values))
        elif not result.startswith("return"):
            body.append(f"return {', '.join(treatment.result or ())}")
        return FunctionView(head(called or f"_{counterpart.id}", self.received(), self.returned()), "", tuple(body))

    def slots(self) -> list[str]:
        """The call form as data: what each parameter is called, takes, and is by default."""
        lines = ["("]
        for parameter in self.parameters:
            parts = [repr_(parameter.name)]
            takes = kinds_taken(parameter.annotation)
            parts += [repr_(tuple(takes))] if takes else []
            parts += [f"default={self.default(parameter.default)}"] if parameter.default is not None else []
            parts += ["keyword=True"] if parameter.kind == "keyword_only" else []
            parts += ["rest=True"] if parameter.kind == "var_positional" else []
            lines.append(f"    Slot({', '.join(parts)}),")
        return [*lines, "),"]

    def received(self) -> list[str]:
        """The parameters of a target's function."""
        if not self.collective:
            return [self.declared_plainly(parameter) for parameter in self.parameters]
        types = {"root": "Root", "reduction": "Reduction"}
        parts = [f"call: {self.use('Collective')}"]
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in self.handed_over():
            if name in types:
                parts.append(f"{name}: {self.use(types[name])}")
            elif name in self.tensors:
                tensor = self.use("Tensor")
                parts.append(f"{name}: list[{tensor}]" if self.tensors[name].count else f"{name}: {tensor}")
            else:
                parts.append(f"{name}: {self.type_of(known[name])}")
        return parts

    def declared_plainly(self, parameter: Parameter) -> str:
        lead = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
        return f"{lead}{parameter.name}: {self.type_of(parameter)}"

    def returned(self) -> str:
        return f"{self.use('Work')} | None" if self.collective else self.any()

    def function(self, counterpart: Counterpart) -> str:
        """The MindSpore function as the generated code calls it."""
        module, _, name = counterpart.target.mindspore.rpartition(".")
        if module in _MODULES:
            return f"{self.use(_MODULES[module])}.{name}"
        return f"{self.use('mindspore')}.{counterpart.target.mindspore.removeprefix('mindspore.')}"

    def expression(self, passing: Passing) -> str:
        """What a MindSpore parameter receives: the torch argument, made whole, through its words."""
        if not passing.sources:
            return repr_(passing.value)
        value = passing.sources[0].name
        raw = any((word := WORDS[use.word]).raw or word.subject != "value" for use in passing.words)
        if value in self.tensors and self.collective and not raw:
            value = f"reduction.encode({value})" if self.reducing else f"{self.use('whole')}({value})"
        for use in passing.words:
            word = WORDS[use.word]
            subject = {"value": value, "group": "call.group"}.get(word.subject, word.subject)
            context = ["call.size" for need in word.needs if need == "size"]
            value = f"{self.use(use.word)}({', '.join([subject, *passing.consulted, *context])}{_options(use)})"
        return value

    def written_in_place(self, passing: Passing, binding: Binding) -> str:
        """The output parameter that MindSpore writes itself when it receives this, or nothing."""
        names = [source.name for source in passing.sources]
        if len(names) != 1 or names[0] not in self.contract.outputs or names[0] in binding.treatment.outputs:
            return ""
        return names[0]

    def finish(self, returns: Iterable[str], values: dict[str, str]) -> str:
        handle = HANDLE if HANDLE in returns else "None"
        output, value = next(iter(values.items()))
        value = f"reduction.decode({value})" if self.reducing else value
        return f"return call.finish(async_op, {handle}, {output}, lambda: {value})"


def _sources_of(mapping: Mapping, word: str) -> list[str]:
    """The torch parameters that are converted by a word in some target."""
    return [
        source.name
        for counterpart in mapping.counterparts
        for binding in counterpart.bindings
        for passing in binding.passings
        for source in passing.sources
        if any(use.word == word for use in passing.words)
    ]


def _is_reduce_op(source: str) -> bool:
    return source.startswith("ReduceOp.") and source.partition(".")[2].isidentifier()


def _argument(receiver: Parameter, expression: str) -> str:
    lead = {"var_positional": "*", "var_keyword": "**", "positional_only": ""}.get(receiver.kind)
    return f"{receiver.name}={expression}" if lead is None else f"{lead}{expression}"


def _options(use: WordUse) -> str:
    return "".join(f", {name}={repr_(value)}" for name, value in sorted(use.options.items()))
