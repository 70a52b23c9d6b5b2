"""Adapters of functions and methods in one process.

In goes a mapping; out comes a `FunctionView`, or an `OverloadsView` for a function of several call forms, which finds
the one that is meant. What the modules look like stands in `templates/code`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mapspore.adapter.call import (
    TENSOR,
    CallBody,
    CallView,
    Checks,
    Constant,
    is_native,
    registered,
    short,
    tables,
    tuple_name,
)
from mapspore.adapter.choice import ChoiceView, choice
from mapspore.adapter.python_source import call, repr_, signature
from mapspore.adapter.runtime_names import Names
from mapspore.adapter.shared_bodies import shared_bodies
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.overloads import needed_forms
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.resolve.resolve import METHODS, SELF


@dataclass(frozen=True, slots=True)
class BodyView:
    """The function behind one target, for one or several call forms."""

    signature: str
    checks: Checks
    call: CallView


@dataclass(frozen=True, slots=True)
class FunctionView:
    """The module of a function with one call form."""

    torch: str
    signature: str
    docstring: str
    constants: tuple[Constant, ...]
    scalars: tuple[str, ...]
    """Parameters that may be given as scalars of NumPy."""
    checks: Checks | None
    """Where MindSpore's own function is called: what is refused before."""
    choice: ChoiceView
    call: str
    bodies: tuple[BodyView, ...]
    registered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormView:
    """One call form: its signature, its parameters as data, and where it is treated like another one, the function that
    gives its arguments the names of that one."""

    declared: str
    slots: tuple[str, ...]
    renaming: str
    """The name of that function, or nothing."""
    signature: str
    renamed: tuple[tuple[str, str], ...]
    body: str
    """Which of several bodies it has, or nothing."""


@dataclass(frozen=True, slots=True)
class OverloadsView:
    """The module of a function with several call forms."""

    torch: str
    name: str
    docstring: str
    constants: tuple[Constant, ...]
    tensor: str
    """The tensor by whose dtype a target is chosen, or nothing."""
    choice: ChoiceView
    renames: bool
    """Whether some form gives its arguments other names."""
    several_bodies: bool
    forms: tuple[FormView, ...]
    bodies: tuple[BodyView, ...]
    registered: tuple[str, ...]


class _FunctionBodies:
    """The functions of a module: the public one, and those behind it."""

    def __init__(self, mapping: Mapping, names: Names) -> None:
        self.mapping = mapping
        self.names = names
        by_form = zip(*([binding.treatment for binding in each.bindings] for each in mapping.counterparts), strict=True)
        needed = needed_forms(mapping.call_forms, list(by_form))
        forms = {at: _with_self(mapping, mapping.call_forms[at].parameters) for at in needed}
        self.forms = [CallBody(mapping, parameters, names) for parameters in forms.values()]
        self.shared, self.overloads = shared_bodies(mapping, forms, self.forms[0].declaration.default)

    def several(self) -> OverloadsView:
        tensor = _common_tensor(self.forms)
        chosen = choice(self.mapping, "tensor" if tensor else None)
        for name in ("Any", "overload"):
            self.names.typing(name)
        for name in ("Api", "Form", "Forms", "Slot", "Target", "rejected"):
            self.names.use(name)
        return OverloadsView(
            torch=self.mapping.name,
            name=short(self.mapping),
            docstring=self.forms[0].declaration.docstring(),
            constants=self.constants(),
            tensor=tensor if tensor and chosen.tensor == "tensor" else "",
            choice=chosen,
            renames=any(overload.renamed for overload in self.overloads),
            several_bodies=len(self.shared) > 1,
            forms=tuple(self.form(number) for number in range(len(self.forms))),
            bodies=self.bodies(),
            registered=self.registered(),
        )

    def one(self) -> FunctionView:
        form = self.forms[0]
        native, checks = is_native(self.mapping), None
        handed = [parameter.name for parameter in form.parameters]
        if native:
            binding = self.shared[0].bindings[0]
            checks, handed = form.checks(binding), [route.sources[0].name for route in binding.routes]
        for name in ("Api", "Target", "rejected", *(["mindspore"] if native else ())):
            self.names.use(name)
        return FunctionView(
            torch=self.mapping.name,
            signature=form.declaration.signature(short(self.mapping), self.names.any()),
            docstring=form.declaration.docstring(),
            constants=self.constants(),
            scalars=form.scalars(),
            checks=checks,
            choice=choice(self.mapping, _first_tensor(form.parameters)),
            call=call("function", handed, 100 - len("return ")),
            bodies=() if native else self.bodies(),
            registered=self.registered(),
        )

    def form(self, number: int) -> FormView:
        declaration, overload = self.forms[number].declaration, self.overloads[number]
        renaming = f"_form_{number}" if overload.renamed else ""
        return FormView(
            declared=declaration.signature(short(self.mapping), self.names.any()),
            slots=slots_of(overload.parameters),
            renaming=renaming,
            signature=declaration.signature(renaming, "dict[str, Any]"),
            renamed=overload.renamed,
            body="" if len(self.shared) == 1 else str(overload.body),
        )

    def bodies(self) -> tuple[BodyView, ...]:
        return tuple(
            self.body(counterpart, at, number)
            for at, counterpart in enumerate(self.mapping.counterparts)
            for number in range(len(self.shared))
        )

    def body(self, counterpart: Counterpart, at: int, number: int) -> BodyView:
        shared = self.shared[number]
        body, binding = CallBody(self.mapping, shared.parameters, self.names), shared.bindings[at]
        name, function = self.body_names(counterpart)[number], self.function(counterpart)
        arguments = body.arguments(binding)
        if counterpart.api is not None and counterpart.api.kind == "property":
            code = f"{shared.parameters[0].name}.{counterpart.target.mindspore.rpartition('.')[2]}"
        elif function == "_NATIVE":
            code = call(function, [shared.parameters[0].name, *arguments], 60)
        else:
            code = call(function, arguments, 60)
        return BodyView(
            signature=self.received(body, name),
            checks=body.checks(binding, counterpart),
            call=body.delivered(binding, code),
        )

    def received(self, body: CallBody, name: str) -> str:
        """The signature of a target's function: as the public one is called, or by position where that is one form."""
        if len(self.forms) > 1:
            return body.declaration.signature(name, self.names.any())
        received = [f"{parameter.name}: {body.type_of(parameter)}" for parameter in body.parameters]
        return signature(name, received, self.names.any())

    def body_names(self, counterpart: Counterpart) -> list[str]:
        own = f"_{counterpart.id}"
        return [own] if len(self.shared) == 1 else [f"{own}_{number}" for number in range(len(self.shared))]

    def function(self, counterpart: Counterpart) -> str:
        """The MindSpore function, or the method of the first argument as it was before it could be replaced."""
        name = counterpart.target.mindspore
        return "_NATIVE" if name.startswith(TENSOR) else f"{self.names.use('mindspore')}.{name.partition('.')[2]}"

    def constants(self) -> tuple[Constant, ...]:
        """Types of results, combinations that a target takes, and methods of tensors that may be replaced."""
        made: list[Constant] = []
        for fields in dict.fromkeys(form.fields for form in self.mapping.call_forms if form.fields):
            listed = ", ".join(map(repr_, (short(self.mapping), *fields)))
            made.append(Constant(tuple_name(self.mapping), f"{self.names.use('named')}({listed})"))
        for counterpart in self.mapping.counterparts:
            made += tables(counterpart)
            read = counterpart.api is not None and counterpart.api.kind == "property"
            if counterpart.target.mindspore.startswith(TENSOR) and not read:
                self.names.use("mindspore")
                made.append(Constant("_NATIVE", counterpart.target.mindspore))
        return tuple(made)

    def registered(self) -> tuple[str, ...]:
        native = is_native(self.mapping)
        functions = []
        for counterpart in self.mapping.counterparts:
            own = self.body_names(counterpart)
            several = own[0] if len(own) == 1 else f"({', '.join(own)})"
            functions.append(counterpart.target.mindspore if native else several)
        return tuple(map(registered, self.mapping.counterparts, functions))


def function_view(mapping: Mapping, names: Names) -> FunctionView | OverloadsView:
    """The module of a function or method that no other process takes part in."""
    bodies = _FunctionBodies(mapping, names)
    return bodies.several() if len(bodies.forms) > 1 else bodies.one()


def slots_of(parameters: Iterable[Parameter]) -> tuple[str, ...]:
    """The call form as data: what each parameter is called and takes, and whether it can be left out."""
    made = []
    for parameter in parameters:
        parts = [repr_(parameter.name)]
        takes = kinds_taken(parameter.annotation)
        parts += [repr_(tuple(takes))] if takes else []
        parts += ["optional=True"] if parameter.default is not None else []
        parts += ["keyword=True"] if parameter.kind == "keyword_only" else []
        parts += ["rest=True"] if parameter.kind == "var_positional" else []
        parts += ["others=True"] if parameter.kind == "var_keyword" else []
        made.append(f"Slot({', '.join(parts)})")
    return tuple(made)


def _with_self(mapping: Mapping, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The parameters of a function; of a method with the object before them."""
    method = mapping.api is not None and mapping.api.kind in METHODS
    return (SELF, *parameters) if method and SELF not in parameters else parameters


def _first_tensor(parameters: tuple[Parameter, ...]) -> str | None:
    return next((parameter.name for parameter in parameters if parameter.annotation == "Tensor"), None)


def _common_tensor(forms: list[CallBody]) -> str | None:
    """The tensor with which every form begins, if it has one name in all of them."""
    begins = {form.parameters[0].name if form.parameters else None for form in forms}
    return begins.pop() if begins == {_first_tensor(form.parameters) for form in forms} and len(begins) == 1 else None
