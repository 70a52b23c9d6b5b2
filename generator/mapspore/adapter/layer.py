"""Adapters of classes: layers and optimisers, derived from MindSpore's, so that their objects are what it expects.

In goes a mapping; out comes a `LayerView` with a class per target. What the module looks like stands in
`templates/code/layer.py.j2`.
"""

from __future__ import annotations

from dataclasses import dataclass

from mapspore.adapter.call import CallBody, CallView, Checks, Constant, registered, short, tables
from mapspore.adapter.python_source import WIDTH, call, docstring, repr_, signature, wrapped
from mapspore.adapter.runtime_names import Names
from mapspore.entry.model import Method
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.words.vocabulary import WORDS

LAYER, OPTIMISER = "Layer", "Optimiser"
"""The classes of the adapter's runtime that emitted classes derive from."""


@dataclass(frozen=True, slots=True)
class ConstructView:
    """The method by which MindSpore calls a layer."""

    signature: str
    checks: Checks
    fits_dtype: str
    """The check of the dtype, or nothing."""
    call: CallView


@dataclass(frozen=True, slots=True)
class MethodView:
    """A method that torch's class has and MindSpore's has not."""

    signature: str
    docstring: str
    returns: str
    """What it returns, or nothing."""


@dataclass(frozen=True, slots=True)
class ClassView:
    """MindSpore's class with torch's constructor, call, state and methods."""

    name: str
    base: str
    mindspore: str
    docstring: str
    state: str
    """The names of torch's state and MindSpore's, or nothing."""
    signature: str
    checks: Checks
    call: str
    each_step: tuple[str, ...]
    """Settings that are computed anew before each step: name, and function of the step's number."""
    keeps: tuple[str, ...]
    """Arguments that decide which names of state there are."""
    construct: ConstructView | None
    methods: tuple[MethodView, ...]


@dataclass(frozen=True, slots=True)
class LayerView:
    """The module of a class."""

    torch: str
    name: str
    constants: tuple[Constant, ...]
    classes: tuple[ClassView, ...]
    registered: tuple[str, ...]


def layer_view(mapping: Mapping, names: Names) -> LayerView:
    """The module of a class: one per target, of which the public name stands for the chosen one."""
    for name in ("Api", "Target", "mindspore", "rejected"):
        names.use(name)
    names.any()
    return LayerView(
        torch=mapping.name,
        name=short(mapping),
        constants=tuple(constant for counterpart in mapping.counterparts for constant in tables(counterpart)),
        classes=tuple(_class(mapping, counterpart, names) for counterpart in mapping.counterparts),
        registered=tuple(registered(counterpart, f"_{counterpart.id}") for counterpart in mapping.counterparts),
    )


def _class(mapping: Mapping, counterpart: Counterpart, names: Names) -> ClassView:
    target, binding = counterpart.target, counterpart.bindings[0]
    body = CallBody(mapping, binding.torch.parameters, names)
    contract = mapping.entry.contract
    return ClassView(
        name=f"_{counterpart.id}",
        base=names.use(LAYER if counterpart.call else OPTIMISER),
        mindspore=target.mindspore,
        docstring=docstring(f"{mapping.name} as a {target.mindspore}."),
        state=_state(target.state) if target.state else "",
        signature=body.declaration.signature("__init__", "None", ["self"]),
        checks=body.checks(binding, counterpart),
        call=call("super().__init__", body.arguments(binding), 60),
        each_step=tuple(
            f"{repr_(route.receiver.name)}, lambda step: {body.expression(route, 'step')}"
            for route in binding.routes
            if any(WORDS[use.word].each_step for use in route.words)
        ),
        keeps=tuple(", ".join([name, *map(repr_, kept)]) for name, kept in contract.state_if.items()),
        construct=_construct(mapping, counterpart, counterpart.call, names) if counterpart.call else None,
        methods=tuple(_method(name, method, names) for name, method in contract.methods.items()),
    )


def _construct(mapping: Mapping, counterpart: Counterpart, called: Counterpart, names: Names) -> ConstructView:
    binding, dtypes = called.bindings[0], counterpart.target.dtypes
    body = CallBody(mapping, binding.torch.parameters, names)
    by_position = [body.expression(route) for route in binding.routes]
    checked = [repr_(mapping.name), body.parameters[0].name, repr_(dtypes)]
    return ConstructView(
        signature=body.declaration.signature("construct", names.any(), ["self"]),
        checks=body.checks(binding),
        fits_dtype=f"{names.use('fits_dtype')}({', '.join(checked)})" if dtypes else "",
        call=body.delivered(binding, call("super().construct", by_position, 60)),
    )


def _method(name: str, method: Method, names: Names) -> MethodView:
    taken = [f"{parameter}: {names.any()}" for parameter in method.takes]
    function = {"__call__": "self", None: ""}.get(method.calls, f"super().{method.calls}")
    return MethodView(
        signature=signature(name, ["self", *taken], names.any()),
        docstring=docstring(wrapped(method.en)),
        returns=f"{function}({', '.join(method.takes)})" if function else "",
    )


def _state(state: dict[str, str | None]) -> str:
    """torch's names and MindSpore's, as pairs."""
    pairs = [f"({repr_(name)}, {repr_(own)})" for name, own in state.items()]
    return call("", pairs if len(pairs) > 1 else [f"{pairs[0]},"], WIDTH - len("STATE = "))
