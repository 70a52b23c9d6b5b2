"""The functions of one call form of an entry: torch's signature with the contract's checks, and MindSpore's call.

In goes a mapping with the number of a call form; out come `FunctionView`s whose strings are Python already: names
from the facts, values only through `repr`, the vocabulary's words as calls of the runtime's functions.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from mapspore.adapter.python_source import WIDTH, head, repr_, statement
from mapspore.entry.model import Collective, Contract, Tensors, WordUse
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.defaults import NO_GROUP_YET, is_literal, is_reduce_op
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import Binding, Passing
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.text.phrases import phrase
from mapspore.words.vocabulary import HANDLE, POLICIES, WORDS

_MODULES = {"mindspore.mint.distributed": "mint", "mindspore.communication.comm_func": "comm_func"}
"""MindSpore modules that the runtime offers under a short name, so that a CPU can stand in for them."""


@dataclass(frozen=True, slots=True)
class FunctionView:
    """A function: its first line or lines, its docstring (empty for a target's), and its statements."""

    head: str
    doc: str
    body: tuple[str, ...]


class CallForm:
    """One call form of an entry; collects, while its functions are written, which names they use."""

    def __init__(self, mapping: Mapping, parameters: tuple[Parameter, ...], number: int = 0) -> None:
        self.mapping = mapping
        self.number = number
        self.parameters = parameters
        self.contract: Contract = mapping.entry.contract
        self.tensors: dict[str, Tensors] = {**self.contract.inputs, **self.contract.outputs}
        self.collective: Collective | None = self.contract.collective
        ranks = self.collective.ranks if self.collective else {}
        self.ranks = [parameter.name for parameter in parameters if parameter.name in ranks]
        self.reducing = next((name for name in _sources_of(mapping, "reduce_op")), None)
        self.grouping = next((name for name in _sources_of(mapping, "group_name")), None)
        self.waits = any(parameter.name == "async_op" for parameter in parameters)
        self.used: set[str] = set()
        self.typing: set[str] = set()

    @property
    def name(self) -> str:
        return self.mapping.name.rpartition(".")[2]

    def use(self, name: str) -> str:
        self.used.add(name)
        return name

    def any(self) -> str:
        self.typing.add("Any")
        return "Any"

    # torch's signature.

    def head(self, returns: str, name: str = "") -> str:
        """The first line or lines of a function with torch's signature."""
        parts: list[str] = []
        kinds = [parameter.kind for parameter in self.parameters]
        for at, parameter in enumerate(self.parameters):
            if parameter.kind == "keyword_only" and not {"keyword_only", "var_positional"} & set(kinds[:at]):
                parts.append("*")
            parts.append(self.declared(parameter))
            if parameter.kind == "positional_only" and kinds[at + 1 : at + 2] != ["positional_only"]:
                parts.append("/")
        return head(name or self.name, parts, returns)

    def declared(self, parameter: Parameter) -> str:
        """The parameter in the signature, with its type and torch's default."""
        text = self.typed(parameter)
        return text if parameter.default is None else f"{text} = {self.default(parameter.default)}"

    def typed(self, parameter: Parameter) -> str:
        lead = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
        return f"{lead}{parameter.name}: {self.type_of(parameter)}"

    def default(self, source: str) -> str:
        """torch's default. One that is no literal is a name that the runtime has, or a group that is not made yet."""
        if is_literal(source):
            return repr_(ast.literal_eval(source))
        if is_reduce_op(source):
            return f"{self.use('ReduceOp')}.{source.partition('.')[2]}"
        return "None" if source in NO_GROUP_YET else "..."

    def type_of(self, parameter: Parameter) -> str:
        name, demand = parameter.name, self.tensors.get(parameter.name)
        if demand is not None:
            each = self.any() if demand.objects else self.use("Tensor")
            listed = f"list[{each}]" if demand.count else each
            return f"{listed} | None" if demand.at else listed
        if name == self.grouping:
            return self.use("Group")
        if name in self.ranks:
            return "int | None"
        return "bool" if name == "async_op" and self.collective else self.any()

    def returned(self) -> str:
        if self.collective is None:
            return self.any()
        if self.waits or self.collective.returns == "work":
            return f"{self.use('Work')} | None"
        return "int" if self.collective.returns == "sender" else "None"

    def doc(self) -> str:
        """The docstring's text: the summary, and what it calls."""
        called = self.mapping.counterparts if self.mapping.entry.migrate is None else ()
        targets = [f"- {c.target.mindspore} ({c.id})" for c in called]
        calls = ["", "Calls one of:" if len(targets) > 1 else "Calls:", *targets] if targets else []
        if self.mapping.entry.runtime is not None:
            calls = ["", textwrap.fill(phrase("runtime", self.mapping.entry.runtime, "en"), WIDTH - 8)]
        summary = textwrap.fill(" ".join(self.mapping.entry.summary.en.split()), WIDTH - 8)
        return "\n".join([summary, *calls]).replace("\\", "\\\\").replace('"', '\\"')

    # The public function: torch's signature, then the contract's checks.

    def public(self) -> FunctionView:
        assert self.collective is not None
        body = [*self.checks(self.collective), *self.run(self.collective)]
        return FunctionView(self.head(self.returned()), self.doc(), tuple(body))

    def checks(self, collective: Collective) -> list[str]:
        """Everything that is settled before anything is sent."""
        body = [f"call = {self.use('Collective')}(_API, {self.grouping})", "if call.outsider:"]
        if collective.non_member == "raises":
            body.append("    raise call.not_a_member()")
        elif self.returned().startswith("Work"):
            body.append("    return call.outside()")
        else:
            body += [
                "    call.outside()",
                "    return -1" if collective.non_member == "returns_minus_one" else "    return",
            ]
        if self.ranks:
            pairs = {collective.ranks[name]: f"({repr_(name)}, {name})" for name in self.ranks}
            found = [pairs["global"], pairs["group"]]
            found += [] if collective.rank_default is None else [f"default={collective.rank_default!r}"]
            body.append(f"root = call.{'peer' if collective.peer else 'root'}({', '.join(found)})")
        for name in self.in_order():
            body += self.check(name, self.tensors[name])
        if self.reducing:
            first = next(iter(self.contract.outputs))
            sample = f"{first}[0]" if self.contract.outputs[first].count else first
            body.append(f"reduction = call.reduction({repr_(self.reducing)}, {self.reducing}, {sample})")
        return body

    def check(self, name: str, demand: Tensors) -> list[str]:
        """The contract's demands on one argument, as statements."""
        parts = [repr_(name), name]
        compared = (("like", demand.like), ("own_like", demand.own_like), ("holds", demand.holds))
        parts += [f"{how}={other}" for how, other in compared if other]
        if demand.objects:
            if not demand.count and name in self.contract.inputs:
                return []  # any object will do
            parts += ["count=call.size"] if demand.count == "group" else []
        parts += ["at=root"] if demand.at else []
        parts += ["read=True"] if demand.objects and demand.at and name in self.contract.inputs else []
        kind = "objects" if demand.objects else "tensors" if demand.count else "tensor"
        kept = f"{name} = " if kind == "tensors" or (demand.objects and demand.at) else ""
        lines = statement(kept, f"call.{kind}", parts, WIDTH)
        if demand.splits:
            lines.append(f"call.split({repr_(name)}, {name}, {repr_(demand.splits)}, {demand.splits})")
        return lines

    def run(self, collective: Collective) -> list[str]:
        """Hands what was checked to a target. Its last argument says whether to return at once."""
        call = f"call.run({', '.join(self.handed_over())})"
        if collective.returns == "sender":
            return [call, "return root.world"]
        return [f"return {call}"] if self.returned() != "None" else [call]

    def in_order(self) -> list[str]:
        """The tensor parameters in torch's order, each after the one that it is compared with."""
        waiting = [p.name for p in self.parameters if p.name in self.tensors]
        done: list[str] = []
        while waiting:
            for name in waiting:
                demand = self.tensors[name]
                if {demand.like, demand.own_like, demand.holds} - {None, name} <= set(done):
                    break
            waiting.remove(name)
            done.append(name)
        return done

    def handed_over(self) -> list[str]:
        """What the public function hands to a target: tensors, root, reduction, the rest, `async_op` last."""
        assert self.collective is not None
        at_once = "async_op" if self.waits else repr(self.collective.returns == "work")
        return [*self.taken_over(), at_once]

    def taken_over(self) -> list[str]:
        names = [p.name for p in self.parameters if p.name in self.tensors]
        names += ["root"] if self.ranks else []
        names += ["reduction"] if self.reducing else []
        settled = {*self.tensors, *self.ranks, self.reducing, self.grouping, "async_op"}
        return [*names, *(p.name for p in self.parameters if p.name not in settled)]

    # A target's function: its own conditions, MindSpore's call, the delivery.

    def target(self, counterpart: Counterpart, called: str = "") -> FunctionView:
        binding = counterpart.bindings[self.number]
        treatment = binding.treatment
        body = [*self.conditions(binding), *self.policies(binding)]
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
        body += statement(f"{returned} = " if returned else "", self.function(counterpart), arguments)
        body.append(self.finish(treatment.returns or (), values))
        returns = f"{self.use('Work')} | None"
        return FunctionView(head(called or f"_{counterpart.id}", self.received(), returns), "", tuple(body))

    def conditions(self, binding: Binding) -> list[str]:
        """What only this target demands."""
        lines = []
        for name, predicate in binding.treatment.accepts.items():
            needs = repr_(phrase("needs", predicate, "en"))
            lines.append(f"call.accepts({self.use(predicate)}({name}), {repr_(name)}, {needs})")
        return lines

    def policies(self, binding: Binding) -> list[str]:
        """What happens to the torch arguments that have no place."""
        lines = []
        for parameter, policy in binding.absent:
            if POLICIES[policy].refuses:
                default = self.default(parameter.default or "None")
                parts = [repr_(self.mapping.name), repr_(parameter.name), parameter.name, default]
                lines.append(f"{self.use('refuse')}({', '.join(parts)})")
            elif policy == "time_limit":
                lines.append(f"call.time_limit({repr_(parameter.name)}, {parameter.name})")
        return lines

    def slots(self) -> list[str]:
        """The call form as data: what each parameter is called and takes, and whether it can be left out."""
        lines = ["("]
        for parameter in self.parameters:
            parts = [repr_(parameter.name)]
            takes = kinds_taken(parameter.annotation)
            parts += [repr_(tuple(takes))] if takes else []
            parts += ["optional=True"] if parameter.default is not None else []
            parts += ["keyword=True"] if parameter.kind == "keyword_only" else []
            parts += ["rest=True"] if parameter.kind == "var_positional" else []
            lines.append(f"    Slot({', '.join(parts)}),")
        return [*lines, "),"] if len(lines) > 2 else [f"({lines[1].strip()}),"] if len(lines) == 2 else ["(),"]

    def received(self) -> list[str]:
        """The parameters of a target's function."""
        parts = [f"call: {self.use('Collective')}"]
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in self.taken_over():
            if name in ("root", "reduction"):
                parts.append(f"{name}: {self.use(name.capitalize())}")
            elif name in self.tensors:
                each = self.any() if self.tensors[name].objects else self.use("Tensor")
                parts.append(f"{name}: list[{each}]" if self.tensors[name].count else f"{name}: {each}")
            else:
                parts.append(f"{name}: {self.type_of(known[name])}")
        return [*parts, "async_op: bool"]

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
        demand = self.tensors.get(value)
        raw = any((word := WORDS[use.word]).raw or word.subject != "value" for use in passing.words)
        shaped = demand is not None and not demand.objects and self.collective is not None and not raw
        encoded = shaped and self.reducing is not None
        if shaped and not encoded:
            value = f"{self.use('whole')}({value})"
        # what only looks at a tensor in another shape comes before the encoding, which has a shape of its own
        for use in passing.words:
            word = WORDS[use.word]
            if encoded and word.changes != "nothing":
                value, encoded = f"reduction.encode({value})", False
            subject = {"value": value, "group": "call.group"}.get(word.subject, word.subject)
            context = ["call.size" for need in word.needs if need == "size"]
            consulted = passing.consulted if word.consults else ()
            value = f"{self.use(use.word)}({', '.join([subject, *consulted, *context])}{_options(use)})"
        return f"reduction.encode({value})" if encoded else value

    def written_in_place(self, passing: Passing, binding: Binding) -> str:
        """The output parameter that MindSpore writes itself when it receives this, or nothing."""
        names = [source.name for source in passing.sources]
        if len(names) != 1 or names[0] not in self.contract.outputs or names[0] in binding.treatment.outputs:
            return ""
        return "" if self.contract.outputs[names[0]].objects else names[0]

    def finish(self, returns: Iterable[str], values: dict[str, str]) -> str:
        """The last statement: delivers the outputs, now or when the caller waits."""
        parts = ["async_op", HANDLE if HANDLE in returns else "None"]
        for output, value in values.items():
            decoded = f"reduction.decode({value})" if self.reducing else value
            parts += [output, f"lambda: {decoded}"]
            parts += ["at=root"] if self.contract.outputs[output].written_at else []
        return f"return call.finish({', '.join(parts)})"


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


def _argument(receiver: Parameter, expression: str) -> str:
    lead = {"var_positional": "*", "var_keyword": "**", "positional_only": ""}.get(receiver.kind)
    return f"{receiver.name}={expression}" if lead is None else f"{lead}{expression}"


def _options(use: WordUse) -> str:
    return "".join(f", {name}={repr_(value)}" for name, value in sorted(use.options.items()))
