"""The statements around one call of MindSpore in one process: by a function, by a constructor or by an object.

In go a mapping, the parameters of one call form and its binding to a target; out come views of what is refused before
the call, of the call itself and of what the caller gets.
"""

from __future__ import annotations

from dataclasses import dataclass

from mapspore.adapter.declaration import Declaration, Refusal
from mapspore.adapter.expressions import argument, options
from mapspore.adapter.python_source import WIDTH, call, repr_, several
from mapspore.adapter.runtime_names import Names
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import ArgumentRoute, Binding
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.words.vocabulary import PREDICATES, WORDS

TENSOR = "mindspore.Tensor."
SCALAR = {"bool", "int", "ints", "number"}
"""Kinds of value for which torch takes scalars of NumPy too."""


@dataclass(frozen=True, slots=True)
class Checks:
    """What is refused before MindSpore is called."""

    torch: str
    refusals: tuple[Refusal, ...]
    supported: str
    """The check of combinations of values, or nothing."""
    demands: tuple[tuple[str, str, str], ...]
    """Predicates, each with the argument that must meet it and the words that say so."""


@dataclass(frozen=True, slots=True)
class CallView:
    """A call of MindSpore, and what of its result the caller gets."""

    code: str
    returned: str
    """The names of several results, or nothing."""
    result: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that the functions of a module refer to."""

    name: str
    value: str


class CallBody:
    """The statements around one call of MindSpore, by a function, a constructor or an object."""

    def __init__(self, mapping: Mapping, parameters: tuple[Parameter, ...], names: Names) -> None:
        self.mapping = mapping
        self.parameters = parameters
        self.names = names
        self.declaration = Declaration(mapping, parameters, names, self.type_of)

    def type_of(self, parameter: Parameter) -> str:
        return self.names.use("Tensor") if parameter.annotation == "Tensor" else self.names.any()

    def scalars(self) -> tuple[str, ...]:
        """The parameters that torch takes a number, a truth value or several numbers for, by what is known of them."""
        named = tuple(parameter.name for parameter in self.parameters if _takes_scalars(parameter))
        if named:
            self.names.use("PLAIN")
            self.names.use("plain")
        return named

    def checks(self, binding: Binding, counterpart: Counterpart | None = None) -> Checks:
        """What is refused; combinations are those of a target as a whole."""
        own = {parameter.name for parameter in self.parameters}
        accepted = [(name, predicate) for name, predicate in binding.treatment.requires.items() if name in own]
        if accepted:
            self.names.use("unfit")
        return Checks(
            torch=self.mapping.name,
            refusals=self.declaration.refusals(binding),
            supported=self.supported(counterpart) if counterpart and counterpart.target.only else "",
            demands=tuple(
                (self.names.use(predicate), name, repr_(PREDICATES[predicate].phrase("needs", "en")))
                for name, predicate in accepted
            ),
        )

    def supported(self, counterpart: Counterpart) -> str:
        """The refusal of combinations that MindSpore does not take."""
        own = {parameter.name for parameter in self.parameters}
        names = dict.fromkeys(name for row in counterpart.target.only for name in row if name in own)
        given = [repr_(self.mapping.name), table_name(counterpart), *(f"{name}={name}" for name in names)]
        return call(self.names.use("supported"), given, 100)

    def arguments(self, binding: Binding) -> list[str]:
        """MindSpore's arguments. What stands before those that take the rest goes by position, as Python demands."""
        routes = list(binding.routes)
        rest = next((at for at, p in enumerate(routes) if p.receiver.kind == "var_positional"), -1)
        expressions = [self.expression(route) for route in routes]
        return [
            expression if at < rest else argument(routes[at].receiver, expression)
            for at, expression in enumerate(expressions)
        ]

    def expression(self, route: ArgumentRoute, step: str = "") -> str:
        """What a MindSpore parameter receives; with the name of a step's number, what an optimiser needs for it."""
        if not route.sources:
            return repr_(route.value)
        value = ", ".join(source.name for source in route.sources)
        for use in route.words:
            word = WORDS[use.word]
            if word.each_step and not step:
                continue
            consulted = (*(route.also_reads if word.consults else ()), *((step,) if word.each_step else ()))
            value = f"{self.names.use(use.word)}({', '.join([value, *consulted, *options(use)])})"
        return value

    def delivered(self, binding: Binding, code: str) -> CallView:
        """The call, and what of its result the caller gets."""
        treatment, fields = binding.treatment, binding.torch.fields
        names = list(treatment.returns or fields or treatment.convert_returns)
        wanted = list(treatment.hand_back or names)
        values = []
        for name in wanted:
            value = name
            for use in treatment.convert_returns.get(name, ()):
                value = f"{self.names.use(use.word)}({', '.join([value, *options(use)])})"
            values.append(value)
        made = ", ".join(values)
        returned = ", ".join(name if name in wanted else f"_{name}" for name in names)
        return CallView(code, returned, f"{tuple_name(self.mapping)}({made})" if fields else made)


def _takes_scalars(parameter: Parameter) -> bool:
    kinds = kinds_taken(parameter.annotation)
    return not parameter.kind.startswith("var_") and (not kinds or not SCALAR.isdisjoint(kinds))


def registered(counterpart: Counterpart, function: str) -> str:
    """A target as it is registered."""
    parts = [repr_(counterpart.id), repr_(counterpart.target.mindspore), function]
    platforms, takes = counterpart.platforms, counterpart.target.dtypes
    parts += [f"platforms={repr_(platforms)}"] if platforms else []
    parts += [several("takes", takes)] if takes else []
    return call("Target", parts, WIDTH - 4)


def table_name(counterpart: Counterpart) -> str:
    return f"_COMBINATIONS_{counterpart.id.upper()}"


def tables(counterpart: Counterpart) -> list[Constant]:
    """The combinations that a target takes, as data."""
    rows = [_row(row) for row in counterpart.target.only]
    if not rows:
        return []
    name = table_name(counterpart)
    alone = f"({rows[0]},)"
    if len(rows) == 1 and "\n" not in alone and len(f"{name} = {alone}") <= WIDTH + 4:  # ruff writes it on one line
        return [Constant(name, alone)]
    inside = "".join(f"{row},\n" for row in rows)
    return [Constant(name, "(\n" + "".join(f"    {line}\n" for line in inside.splitlines()) + ")")]


def _row(row: dict[str, object]) -> str:
    items = [f"{repr_(name)}: {repr_(_several(values))}" for name, values in row.items()]
    line = f"{{{', '.join(items)}}}"
    return line if len(line) < WIDTH else "\n".join(["{", *(f"    {item}," for item in items), "}"])


def _several(values: object) -> tuple[object, ...]:
    return tuple(values) if isinstance(values, list | tuple) else (values,)


def short(mapping: Mapping) -> str:
    return mapping.name.rpartition(".")[2]


def tuple_name(mapping: Mapping) -> str:
    return short(mapping).capitalize()


def is_native(mapping: Mapping) -> bool:
    """Whether MindSpore's function can be called as it is, by position: a true equal, but for what it lacks."""
    api, counterparts = mapping.api, mapping.counterparts
    if api is None or api.kind != "function" or len(counterparts) != 1 or len(counterparts[0].bindings) != 1:
        return False
    binding = counterparts[0].bindings[0]
    treatment, torch = binding.treatment, [parameter.name for parameter in binding.torch.parameters]
    places = [torch.index(p.sources[0].name) if len(p.sources) == 1 and not p.words else -1 for p in binding.routes]
    return (
        not (
            treatment.returns
            or treatment.convert_returns
            or treatment.requires
            or treatment.only
            or binding.torch.fields
        )
        and not counterparts[0].target.mindspore.startswith(TENSOR)
        and -1 not in places
        and places == sorted(places)
        and [p.receiver for p in binding.routes] == list(binding.mindspore.parameters[: len(places)])
        and all(p.receiver.kind == "positional_or_keyword" for p in binding.routes)
    )
