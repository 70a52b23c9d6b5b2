"""Adapters of calls in one process: functions, methods of tensors, classes.

In goes a mapping; out come the parts of its module as Python. A function of several call forms finds the one that is
meant; a class derives from MindSpore's, so that its objects are what MindSpore expects.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from itertools import groupby
from typing import get_args

from mapspore.adapter.collective import CallForm, FunctionView
from mapspore.adapter.python_source import WIDTH, head, repr_, statement
from mapspore.entry.model import Target
from mapspore.facts.defaults import is_literal
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import Binding, Passing
from mapspore.resolve.overloads import needed_forms
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.resolve.resolve import METHODS, SELF
from mapspore.words.dtypes import Dtype
from mapspore.words.vocabulary import POLICIES, WORDS

INDENT = "    "
TENSOR = "mindspore.Tensor."


@dataclass
class Parts:
    """What a module is made of, besides its imports."""

    constants: list[str] = field(default_factory=list)
    public: FunctionView | None = None
    overloads: list[str] = field(default_factory=list)
    functions: list[FunctionView] = field(default_factory=list)
    classes: list[list[str]] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    registration: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    """The statement after everything else: it gives a class its public name, or what was chosen before a short one."""
    used: set[str] = field(default_factory=set)
    typing: set[str] = field(default_factory=set)

    def take(self, form: Plain) -> None:
        self.used |= form.used
        self.typing |= form.typing


class Plain(CallForm):
    """One call form of a function or method, or of a class's constructor or objects."""

    def __init__(self, mapping: Mapping, parameters: tuple[Parameter, ...], number: int = 0) -> None:
        method = mapping.api is not None and mapping.api.kind in METHODS
        owned = method and SELF not in parameters
        super().__init__(mapping, (SELF, *parameters) if owned else parameters, number)

    def type_of(self, parameter: Parameter) -> str:
        return self.use("Tensor") if parameter.annotation == "Tensor" else self.any()

    def default(self, source: str) -> str:
        """A default that is no literal is one of a general parameter, which is refused if it is given."""
        return super().default(source) if is_literal(source) else "None"

    def returned(self) -> str:
        return self.any()

    def handed_over(self) -> list[str]:
        return [parameter.name for parameter in self.parameters]

    def received(self) -> list[str]:
        """The parameters of a target's function: all by position, those that take the rest as a tuple."""
        return [f"{parameter.name}: {self.type_of(parameter)}" for parameter in self.parameters]

    def tensor(self) -> str | None:
        return next((parameter.name for parameter in self.parameters if parameter.annotation == "Tensor"), None)

    def public(self) -> FunctionView:
        refusals: list[str] = []
        handed = self.handed_over()
        if is_native(self.mapping):  # MindSpore's own function is what is chosen
            binding = self.mapping.counterparts[0].bindings[0]
            refusals, handed = self.policies(binding), [passing.sources[0].name for passing in binding.passings]
        tensor = self.tensor()
        call = [choosing(asked(self.mapping, tensor), tensor), *statement("return ", "function", handed, 100)]
        body = [*refusals, *self.guarded(call)]
        return FunctionView(self.head(self.returned()), self.doc(), tuple(body))

    def guarded(self, call: list[str]) -> list[str]:
        """A call whose errors become those that torch's callers know."""
        raising = f"    raise {self.use('rejected')}({repr_(self.mapping.name)}, error) from error"
        return ["try:", *(f"    {line}" for line in call), "except Exception as error:", raising]

    def policies(self, binding: Binding) -> list[str]:
        """What happens to the torch arguments that have no place; nothing is done for the usual one, that none is
        given."""
        lines: list[str] = []
        for parameter, policy in binding.absent:
            if POLICIES[policy].refuses:
                default = self.default(parameter.default or "None")
                parts = [repr_(self.mapping.name), repr_(parameter.name), parameter.name, default]
                lines += [f"if {parameter.name} is not {default}:"] if default in ("None", "True", "False") else []
                lead = INDENT if lines and lines[-1].endswith(":") else ""
                lines.append(f"{lead}{self.use('refuse')}({', '.join(parts)})")
        return lines

    def supported(self, target: Target, table: str) -> list[str]:
        """The refusal of combinations that MindSpore does not take."""
        if not target.supports:
            return []
        own = {parameter.name for parameter in self.parameters}
        names = list(dict.fromkeys(name for row in target.supports for name in row if name in own))
        given = [repr_(self.mapping.name), table, *(f"{name}={name}" for name in names)]
        return statement("", self.use("supported"), given, 100)

    def conditions(self, binding: Binding) -> list[str]:
        own = {parameter.name for parameter in self.parameters}
        lines: list[str] = []
        for name, predicate in binding.treatment.accepts.items():
            if name in own:
                said = ", ".join(map(repr_, (self.mapping.name, name, _needs(predicate))))
                lines += [f"if not {self.use(predicate)}({name}):", f"{INDENT}{self.use('unfit')}({said})"]
        return lines

    def arguments(self, binding: Binding) -> list[str]:
        """MindSpore's arguments. What stands before those that take the rest goes by position, as Python demands."""
        passings = list(binding.passings)
        rest = next((at for at, p in enumerate(passings) if p.receiver.kind == "var_positional"), -1)
        return [
            self.expression(passing) if at < rest else _argument(passing, self.expression(passing))
            for at, passing in enumerate(passings)
        ]

    def expression(self, passing: Passing, step: str = "") -> str:
        """What a MindSpore parameter receives; with the name of a step's number, what an optimiser needs for it."""
        if not passing.sources:
            return repr_(passing.value)
        value = ", ".join(source.name for source in passing.sources)
        for use in passing.words:
            word = WORDS[use.word]
            if word.each_step and not step:
                continue
            consulted = (*(passing.consulted if word.consults else ()), *((step,) if word.each_step else ()))
            options = [f"{name}={repr_(option)}" for name, option in sorted(use.options.items())]
            value = f"{self.use(use.word)}({', '.join([value, *consulted, *options])})"
        return value

    def delivered(self, binding: Binding, call: list[str]) -> list[str]:
        """The call, and what of its result the caller gets."""
        treatment, fields = binding.treatment, binding.torch.fields
        names = list(treatment.returns or fields or treatment.results)
        wanted = list(treatment.result or names)
        if not names:
            return [f"return {call[0]}", *call[1:]]
        lines = [f"{', '.join(n if n in wanted else f'_{n}' for n in names)} = {call[0]}", *call[1:]]
        values = []
        for name in wanted:
            value = name
            for use in treatment.results.get(name, ()):
                options = [f"{option}={repr_(given)}" for option, given in sorted(use.options.items())]
                value = f"{self.use(use.word)}({', '.join([value, *options])})"
            values.append(value)
        made = ", ".join(values)
        return [*lines, f"return {_tuple_name(self.name)}({made})" if fields else f"return {made}"]

    def function(self, counterpart: Counterpart) -> str:
        """The MindSpore function, or the method of the first argument."""
        name = counterpart.target.mindspore
        if name.startswith(TENSOR):
            return "_NATIVE"
        return f"{self.use('mindspore')}.{name.removeprefix('mindspore.')}"

    def target(self, counterpart: Counterpart, called: str = "") -> FunctionView:
        binding = counterpart.bindings[self.number]
        table = f"_COMBINATIONS_{counterpart.id.upper()}"
        body = [*self.policies(binding), *self.supported(counterpart.target, table), *self.conditions(binding)]
        is_property = counterpart.api is not None and counterpart.api.kind == "property"
        owner = [self.parameters[0].name] if counterpart.target.mindspore.startswith(TENSOR) else []
        call = statement("", self.function(counterpart), [*owner, *self.arguments(binding)], 60)
        if is_property:
            call = [f"{owner[0]}.{counterpart.target.mindspore.rpartition('.')[2]}"]
        body += self.delivered(binding, call)
        if called:  # one of several, called as the public function is
            return FunctionView(self.head(self.any(), called), "", tuple(body))
        return FunctionView(head(f"_{counterpart.id}", self.received(), self.any()), "", tuple(body))


def parts_of(mapping: Mapping) -> Parts:
    """The parts of a function's, a method's or a class's module."""
    assert mapping.api is not None
    return _class_parts(mapping) if mapping.api.kind == "class" else _function_parts(mapping)


def _function_parts(mapping: Mapping) -> Parts:
    parts = Parts()
    bindings = mapping.counterparts[0].bindings
    treated = zip(*([binding.treatment for binding in each.bindings] for each in mapping.counterparts), strict=True)
    needed = needed_forms([binding.torch for binding in bindings], list(treated))
    forms = [Plain(mapping, bindings[at].torch.parameters, at) for at in needed]
    several = len(forms) > 1
    tensor = _common_tensor(forms) if several else forms[0].tensor()
    attribute = asked(mapping, tensor)
    if several:
        call = [f"tensor = args[0] if args else kwargs[{repr_(tensor)}]"] if attribute else []
        call += [choosing(attribute, "tensor"), "return function[form](*args, **kwargs)"]
        body = ["form = _FORMS.match(args, kwargs)", *forms[0].guarded(call)]
        parts.public = FunctionView(
            head(forms[0].name, ["*args: Any", "**kwargs: Any"], "Any"), forms[0].doc(), tuple(body)
        )
        parts.typing |= {"Any", "overload"}
        parts.used |= {"Forms", "Slot"}
        parts.overloads = [form.head(form.returned()) + " ..." for form in forms]
        parts.forms = [line for form in forms for line in form.slots()]
    else:
        parts.public = forms[0].public()
    for fields in dict.fromkeys(b.torch.fields for b in mapping.counterparts[0].bindings if b.torch.fields):
        short = mapping.name.rpartition(".")[2]
        parts.used.add("named")
        listed = ", ".join(map(repr_, (short, *fields)))
        parts.constants.append(f"{_tuple_name(short)} = named({listed})")
    for counterpart in mapping.counterparts:
        parts.constants += _table(counterpart)
        if counterpart.target.mindspore.startswith(TENSOR):  # kept, in case that the method is replaced by this one
            parts.constants.append(f"_NATIVE = {counterpart.target.mindspore}")
            parts.used.add("mindspore")
        if is_native(mapping):
            parts.used.add("mindspore")
        elif several:
            called = [f"_{counterpart.id}_{at}" for at in range(len(forms))]
            parts.functions += [form.target(counterpart, name) for form, name in zip(forms, called, strict=True)]
        else:
            parts.functions.append(forms[0].target(counterpart))
    for form in forms:
        parts.take(form)
    _register(parts, mapping, len(forms))
    parts.last = [f"_KNOWN = _API.{'sized' if attribute == SIZE else 'known'}"]
    return parts


def _common_tensor(forms: list[Plain]) -> str | None:
    """The tensor with which every form begins, if it has one name in all of them."""
    begins = {form.parameters[0].name if form.parameters else None for form in forms}
    return begins.pop() if begins == {form.tensor() for form in forms} and len(begins) == 1 else None


def _class_parts(mapping: Mapping) -> Parts:
    parts = Parts()
    short = mapping.name.rpartition(".")[2]
    for counterpart in mapping.counterparts:
        made = Plain(mapping, counterpart.bindings[0].torch.parameters)
        parts.classes.append(_class(made, counterpart))
        parts.constants += _table(counterpart)
        parts.take(made)
    _register(parts, mapping)
    parts.typing.add("Any")
    parts.last = [f"{short}: Any = _API.chosen_class({repr_(short)})"]
    return parts


def _class(made: Plain, counterpart: Counterpart) -> list[str]:
    """MindSpore's class with torch's constructor, call, state and methods."""
    target, binding = counterpart.target, counterpart.bindings[0]
    base = made.use("Layer" if counterpart.call else "Optimiser")
    mindspore = f"{made.use('mindspore')}.{target.mindspore.removeprefix('mindspore.')}"
    lines = [
        f"class _{counterpart.id}({base}, {mindspore}):",
        f'    """{made.mapping.name} as a {target.mindspore}."""',
        "",
    ]
    if target.state:
        lines += [*(f"    {line}" for line in statement("STATE = ", "", _pairs(target.state), WIDTH)), ""]
    declared = ["self", *_declarations(made)]
    lines += _indented(head("__init__", declared, "None"))
    table = f"_COMBINATIONS_{counterpart.id.upper()}"
    body = [
        *made.policies(binding),
        *made.supported(target, table),
        *made.conditions(binding),
        *made.guarded(statement("", "super().__init__", made.arguments(binding), 60)),
        *(
            f"self.each_step({repr_(passing.receiver.name)}, lambda step: {made.expression(passing, 'step')})"
            for passing in binding.passings
            if any(WORDS[use.word].each_step for use in passing.words)
        ),
    ]
    for name, kept in made.contract.keeps.items():
        body.append(f"self.keep_if({', '.join([name, *map(repr_, kept)])})")
    body += ["self.set_train()"] if counterpart.call else []
    lines += [f"{INDENT}{INDENT}{line}" for line in body]
    if counterpart.call:
        call = Plain(made.mapping, counterpart.call.bindings[0].torch.parameters)
        inner = counterpart.call.bindings[0]
        declared = ["self", *_declarations(call)]
        lines += ["", *_indented(head("construct", declared, call.any()))]
        body = [*call.policies(inner), *call.conditions(inner)]
        if target.dtypes:
            checked = [repr_(made.mapping.name), call.parameters[0].name, repr_(target.dtypes)]
            body.append(f"{call.use('fits_dtype')}({', '.join(checked)})")
        body += call.guarded(call.delivered(inner, statement("", "super().construct", _by_position(call, inner), 60)))
        lines += [f"{INDENT}{INDENT}{line}" for line in body]
        made.used |= call.used
        made.typing |= call.typing
    for name, method in made.contract.methods.items():
        taken = [f"{parameter}: {made.any()}" for parameter in method.takes]
        lines += ["", *_indented(head(name, ["self", *taken], made.any()))]
        said = textwrap.wrap(" ".join(method.en.split()), WIDTH - 8)
        said = [f'"""{said[0]}', *said[1:]]
        said = [*said, '"""'] if len(said) > 1 else [f'{said[0]}"""']
        lines += [f"{INDENT}{INDENT}{line}" for line in said]
        if method.calls == "__call__":
            lines.append(f"{INDENT}{INDENT}return self({', '.join(method.takes)})")
        elif method.calls:
            lines.append(f"{INDENT}{INDENT}return super().{method.calls}({', '.join(method.takes)})")
    return lines


def _pairs(state: dict[str, str | None]) -> list[str]:
    pairs = [f"({repr_(name)}, {repr_(held)})" for name, held in state.items()]
    return pairs if len(pairs) > 1 else [f"{pairs[0]},"]


def _declarations(form: Plain) -> list[str]:
    """The parameters as a signature has them, with the marker of those that go by keyword only."""
    parts: list[str] = []
    for parameter in form.parameters:
        if parameter.kind == "keyword_only" and "*" not in parts:
            parts.append("*")
        parts.append(form.declared(parameter))
    return parts


def _by_position(call: Plain, binding: Binding) -> list[str]:
    return [call.expression(passing) for passing in binding.passings]


def _indented(text: str) -> list[str]:
    return [f"{INDENT}{line}" for line in text.split("\n")]


def _table(counterpart: Counterpart) -> list[str]:
    """The combinations that a target takes, as data."""
    rows = counterpart.target.supports
    if not rows:
        return []
    lines = [f"_COMBINATIONS_{counterpart.id.upper()} = ("]
    for row in rows:
        items = [f"{repr_(name)}: {repr_(_several(values))}" for name, values in row.items()]
        line = f"{INDENT}{{{', '.join(items)}}},"
        long = len(line) > WIDTH + len(INDENT)
        lines += [f"{INDENT}{{", *(f"{INDENT}{INDENT}{item}," for item in items), f"{INDENT}}},"] if long else [line]
    alone = f"{lines[0]}{lines[1].strip()})" if len(lines) == 2 else ""
    return [alone] if alone and len(alone) <= WIDTH + len(INDENT) else [*lines, ")"]  # ruff writes one row on one line


def _several(values: object) -> tuple[object, ...]:
    return tuple(values) if isinstance(values, list | tuple) else (values,)


def _register(parts: Parts, mapping: Mapping, forms: int = 1) -> None:
    registered = [repr_(mapping.name)]
    for counterpart in mapping.counterparts:
        name = counterpart.target.mindspore
        own = f"_{counterpart.id}"
        function = name if is_native(mapping) else own
        if forms > 1:
            function = f"({', '.join(f'{own}_{at}' for at in range(forms))})"
        listed = [repr_(counterpart.id), repr_(name), function]
        platforms, takes = platforms_of(counterpart), counterpart.target.dtypes
        listed += [f"platforms={repr_(platforms)}"] if platforms else []
        listed += [f"takes={repr_(takes)}"] if takes else []
        registered.append("\n    ".join(statement("", "Counterpart", listed, WIDTH - 4)))
    parts.registration = statement("_API = ", "Call", registered)
    parts.used |= {"Call", "Counterpart"}


def lacks(counterpart: Counterpart) -> tuple[str, ...]:
    """The dtypes that a target with a narrower range does not take, so that another one is chosen for them."""
    takes = counterpart.target.dtypes
    return tuple(dtype for dtype in get_args(Dtype) if dtype not in takes) if takes else ()


def platforms_of(counterpart: Counterpart) -> tuple[str, ...]:
    """Where a target can be used: as the entry says, or else as MindSpore documents it."""
    return counterpart.target.platforms or (counterpart.api.platforms if counterpart.api else ())


def is_native(mapping: Mapping) -> bool:
    """Whether MindSpore's function can be called as it is, by position: a true equal, but for what it lacks."""
    api, counterparts = mapping.api, mapping.counterparts
    if api is None or api.kind != "function" or len(counterparts) != 1 or len(counterparts[0].bindings) != 1:
        return False
    binding = counterparts[0].bindings[0]
    treatment, torch = binding.treatment, [parameter.name for parameter in binding.torch.parameters]
    places = [torch.index(p.sources[0].name) if len(p.sources) == 1 and not p.words else -1 for p in binding.passings]
    return (
        not (treatment.returns or treatment.results or treatment.accepts or treatment.supports or binding.torch.fields)
        and not counterparts[0].target.mindspore.startswith(TENSOR)
        and -1 not in places
        and places == sorted(places)
        and [p.receiver for p in binding.passings] == list(binding.mindspore.parameters[: len(places)])
        and all(p.receiver.kind == "positional_or_keyword" for p in binding.passings)
    )


def _size(dtype: str) -> int:
    """The bits of an element, with which a dtype's name ends; a truth value has a byte."""
    return int("".join(filter(str.isdigit, dtype)) or 8)


_BY_SIZE = [set(alike) for _, alike in groupby(sorted(get_args(Dtype), key=_size), _size)]


SIZE, DTYPE = "_itemsize", "_dtype"


def asked(mapping: Mapping, tensor: str | None) -> str:
    """What the choice of a target asks a tensor for: nothing; or the dtype where targets differ; or the size of an
    element, which is told faster, where every target takes all dtypes of some size."""
    if tensor is None or not any(c.target.dtypes for c in mapping.counterparts):
        return ""
    return SIZE if _sized(mapping) else DTYPE


def choosing(attribute: str, tensor: str | None) -> str:
    """The statement that finds the function of the target that is called."""
    found = f"id({tensor}.{attribute})" if attribute == DTYPE else f"{tensor}.{attribute}"
    key, given = (found, tensor) if attribute else (None, None)
    return f"function = _KNOWN.get({key}) or _API.function_for({given})"


def _sized(mapping: Mapping) -> bool:
    """Whether every target takes all dtypes of some size."""
    taken = [set(c.target.dtypes) for c in mapping.counterparts]
    return any(all(dtypes.issuperset(each) for dtypes in taken) for each in _BY_SIZE)


def _tuple_name(short: str) -> str:
    return short.capitalize()


def _needs(predicate: str) -> str:
    from mapspore.text.phrases import phrase

    return phrase("needs", predicate, "en")


def _argument(passing: Passing, expression: str) -> str:
    kind = passing.receiver.kind
    lead = {"var_positional": "*", "var_keyword": "**", "positional_only": ""}.get(kind)
    return f"{passing.receiver.name}={expression}" if lead is None else f"{lead}{expression}"
