"""From a mapping to the adapter's Python: which functions or names the module of an entry has.

In goes a mapping; out comes a `ModuleView` whose strings are Python already. Four sorts of module: calls of MindSpore
emitted from the entry's fields; torch's signature before a function of the runtime; a class or a value that the
runtime has; and, where MindSpore has nothing, what raises the sentence that helps.
"""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from mapspore.bind import Binding
from mapspore.facts.snapshot import Form as Signature
from mapspore.functions import NO_GROUP_YET, CallForm, FunctionView, is_literal, is_reduce_op
from mapspore.model import Contract, Dtype
from mapspore.python_source import WIDTH, as_sorted, head, repr_, statement
from mapspore.resolve import Counterpart, Mapping
from mapspore.vocabulary import COLLECTIVE_CONVENTIONS, POLICIES

TIME_LIMIT = "time_limit"


@dataclass(frozen=True, slots=True)
class ModuleView:
    """A generated module."""

    path: str
    source: str
    title: str
    typing: tuple[str, ...]
    runtime: tuple[str, ...]
    """What is imported from the runtime, sorted."""
    name: str
    overloads: tuple[str, ...] = ()
    """The declarations of the call forms, where there are several."""
    public: FunctionView | None = None
    """The function that is offered; a class or a value is imported under its name instead."""
    refusal: tuple[str, ...] = ()
    """The class that is offered in its place, where making one of it is refused, line by line."""
    targets: tuple[FunctionView, ...] = ()
    forms: tuple[str, ...] = ()
    """The call forms as data, where there are several: what `Forms` is made of."""
    registration: tuple[str, ...] = ()
    """The statement that makes the API known to `which`, line by line."""


def has_adapter(mapping: Mapping) -> bool:
    """Whether an adapter is generated: from the runtime, as a refusal, or for functions that all counterparts take."""
    api = mapping.api
    if api is None:
        return False
    if mapping.entry.runtime is not None:
        return api.kind != "function" or all(_declarable(form) for form in api.forms)
    if not mapping.counterparts:
        return api.kind == "class" or (api.kind == "function" and bool(api.forms))
    if api.kind != "function" or not api.forms:
        return False
    taken = all(counterpart.bindings and not counterpart.untreated for counterpart in mapping.counterparts)
    return (
        taken
        and _known_shape(mapping.entry.contract, mapping)
        and all(
            _expressible(b) and _settled(b, mapping.entry.contract) for c in mapping.counterparts for b in c.bindings
        )
    )


def _known_shape(contract: Contract, mapping: Mapping) -> bool:
    """Collectives have a group, at most one output, and ranks in both spaces or none; others have no outputs."""
    collective = contract.collective
    if collective is None:
        return not contract.outputs
    names = {p.name for c in mapping.counterparts for b in c.bindings for p in b.torch.parameters}
    spaces = sorted(collective.ranks.values())
    return len(contract.outputs) <= 1 and "group" in names and spaces in ([], ["global", "group"])


def _expressible(binding: Binding) -> bool:
    """Whether both signatures can be written down: no variadics, no keywords, defaults that have a meaning here."""
    receivers = (passing.receiver for passing in binding.passings)
    if any(p.kind.startswith("var_") or keyword.iskeyword(p.name) for p in receivers):
        return False
    return _declarable(binding.torch) and not any(p.kind.startswith("var_") for p in binding.torch.parameters)


def _declarable(form: Signature) -> bool:
    return not any(keyword.iskeyword(p.name) for p in form.parameters) and all(
        p.default is None or is_literal(p.default) or is_reduce_op(p.default) or p.default in NO_GROUP_YET
        for p in form.parameters
    )


def _settled(binding: Binding, contract: Contract) -> bool:
    """Whether nothing that a collective settles before the call, such as the group, is left for a target to refuse."""
    ranks = contract.collective.ranks if contract.collective else {}
    settled = {*ranks, *COLLECTIVE_CONVENTIONS} if contract.collective else set()
    asked = {parameter.name for parameter, policy in binding.absent if POLICIES[policy].refuses or policy == TIME_LIMIT}
    return not settled & asked


def module_of(torch: str) -> str:
    """The adapter's module for a torch name: `torch.distributed.gather` lives in `torchspore.distributed`."""
    return "torchspore" + torch.rpartition(".")[0].removeprefix("torch")


def module_path(torch: str) -> str:
    folder = module_of(torch).replace(".", "/")
    return f"adapter/{folder}/_{torch.rpartition('.')[2]}.py"


def emit(mapping: Mapping) -> ModuleView:
    """The module of one entry."""
    assert mapping.api is not None
    if mapping.entry.runtime is not None:
        return _of_runtime(mapping, mapping.entry.runtime)
    if not mapping.counterparts:
        return _without_counterpart(mapping)
    bindings = mapping.counterparts[0].bindings
    forms = [CallForm(mapping, binding.torch.parameters, number) for number, binding in enumerate(bindings)]
    if len(forms) == 1:
        targets = [forms[0].target(counterpart) for counterpart in mapping.counterparts]
        public = forms[0].public()
    else:
        targets = [view for c in mapping.counterparts for view in _by_form(forms, c)]
        public = _matching(forms)
    registered = [
        repr_(mapping.name),
        *(f"Target({repr_(c.id)}, {repr_(c.target.mindspore)}, _{c.id}{_lacks(c)})" for c in mapping.counterparts),
    ]
    several = len(forms) > 1
    used = {"Api", "Target", *(("Forms", "Slot") if several else ()), *(name for each in forms for name in each.used)}
    typing = {*(("Any", "overload") if several else ()), *(name for each in forms for name in each.typing)}
    return _module(
        mapping, typing, used,
        public=public,
        targets=tuple(targets),
        registration=tuple(statement("_API = ", "Api", registered)),
        overloads=tuple(each.public().head + " ..." for each in forms) if several else (),
        forms=tuple(line for each in forms for line in each.slots()) if several else (),
    )  # fmt: skip


def _lacks(counterpart: Counterpart) -> str:
    """The dtypes that a target with a narrower range does not take, so that another one is chosen for them."""
    takes = counterpart.target.dtypes
    return f", {repr_(tuple(dtype for dtype in get_args(Dtype) if dtype not in takes))}" if takes else ""


def _module(
    mapping: Mapping, typing: Iterable[str], used: Iterable[str], public: FunctionView | None = None,
    refusal: tuple[str, ...] = (), targets: tuple[FunctionView, ...] = (), registration: tuple[str, ...] = (),
    overloads: tuple[str, ...] = (), forms: tuple[str, ...] = (),
) -> ModuleView:  # fmt: skip
    return ModuleView(
        path=module_path(mapping.name),
        source=mapping.source.path,
        title=f"{mapping.name} on MindSpore.",
        typing=tuple(sorted(set(typing))),
        runtime=tuple(sorted(set(used), key=as_sorted)),
        name=mapping.name.rpartition(".")[2],
        overloads=overloads,
        public=public,
        refusal=refusal,
        targets=targets,
        forms=forms,
        registration=registration,
    )


def _matching(forms: list[CallForm]) -> FunctionView:
    """The public function of an API with several call forms: it finds the one that is meant."""
    body = ("form, values = _FORMS.match(args, kwargs)", "return _API.call(form, values)")
    return FunctionView(head(forms[0].name, ["*args: Any", "**kwargs: Any"], "Any"), forms[0].doc(), body)


def _by_form(forms: list[CallForm], counterpart: Counterpart) -> list[FunctionView]:
    """A target's functions, one per call form, and the one that picks among them."""
    name = f"_{counterpart.id}"
    parts = [form.target(counterpart, f"{name}_{number}") for number, form in enumerate(forms)]
    listed = ", ".join(f"{name}_{number}" for number in range(len(forms)))
    picking = head(name, ["form: int", "values: list[Any]"], "Any")
    return [*parts, FunctionView(picking, "", (f"return ({listed})[form](*values)",))]


def _of_runtime(mapping: Mapping, name: str) -> ModuleView:
    """The module of what the runtime has ready: a function behind torch's signature, or the thing itself."""
    assert mapping.api is not None
    short = mapping.name.rpartition(".")[2]
    if mapping.api.kind != "function":
        return _module(mapping, (), [name if name == short else f"{name} as {short}"])
    form = CallForm(mapping, mapping.api.forms[0].parameters)
    binding = mapping.counterparts[0].bindings[0] if mapping.counterparts else None
    refused = {p.name for p, policy in binding.absent if POLICIES[policy].refuses} if binding else set()
    taken = [parameter.name for parameter in form.parameters if parameter.name not in refused]
    known = f"{name} as _{name}" if name == short else name
    form.use(known)
    called = f"{known.rpartition(' ')[2]}({', '.join(taken)})"
    body = [*(form.policies(binding) if binding else ()), f"return {called}"]
    registered = [repr_(mapping.name), *(repr_(c.target.mindspore) for c in mapping.counterparts)]
    public = FunctionView(form.head(form.any()), form.doc(), tuple(body))
    form.use("Composed")
    return _module(
        mapping, form.typing, form.used, public=public, registration=tuple(statement("", "Composed", registered))
    )


def _without_counterpart(mapping: Mapping) -> ModuleView:
    """The module of an API that MindSpore has nothing for: torch's signature, and the sentence that helps."""
    assert mapping.api is not None and mapping.entry.unmapped is not None
    instead = " ".join(mapping.entry.unmapped.instead.en.split())
    said = f"{mapping.name} has no counterpart in MindSpore. {instead}"
    pieces = [repr_(piece) for piece in textwrap.wrap(said, WIDTH - 16, drop_whitespace=False)]
    if mapping.api.kind == "class":
        refusal = [
            f"class {mapping.name.rpartition('.')[2]}(metaclass=Missing):",
            f'    """{CallForm(mapping, ()).doc()}"""',
            "",
            "    says = (",
            *(f"        {piece}" for piece in pieces),
            "    )",
        ]
        return _module(mapping, (), {"Missing"}, refusal=tuple(refusal))
    raising = ("raise NoCounterpart(", *(f"    {piece}" for piece in pieces), ")")
    form = CallForm(mapping, mapping.api.forms[0].parameters)
    view = FunctionView(form.head("NoReturn"), form.doc(), raising)
    return _module(mapping, {*form.typing, "NoReturn"}, {*form.used, "NoCounterpart"}, public=view)
