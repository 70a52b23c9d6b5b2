"""From a mapping to the adapter's Python: which functions or names the module of an entry has.

In goes a mapping; out comes a `ModuleView` whose strings are Python already. Four sorts of module: calls of MindSpore
emitted from the entry's fields; torch's signature before a function of the runtime; a class or a value that the
runtime has; and, where MindSpore has nothing, what raises the sentence that helps.
"""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mapspore.adapter.call import lacks, parts_of
from mapspore.adapter.collective import CallForm, FunctionView
from mapspore.adapter.python_source import WIDTH, as_sorted, repr_, statement
from mapspore.entry.model import Contract, Text
from mapspore.facts.defaults import NO_GROUP_YET, is_literal, is_reduce_op
from mapspore.facts.snapshot import Form as Signature
from mapspore.resolve.binding import Binding
from mapspore.resolve.registry import Counterpart, Mapping
from mapspore.words.kinds import GENERAL_PARAMETERS
from mapspore.words.vocabulary import COLLECTIVE_CONVENTIONS, POLICIES

TIME_LIMIT = "time_limit"
CALLABLE = ("function", "method", "property", "class")
RUNTIME, CALLS = "torchspore._runtime.collectives", "torchspore._runtime.calls"


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
    package: str = RUNTIME
    """The hand-written package that it is made of."""
    constants: tuple[str, ...] = ()
    """What the functions refer to: types of results, combinations that a target takes."""
    classes: tuple[tuple[str, ...], ...] = ()
    """A class per target, line by line."""
    last: tuple[str, ...] = ()
    """The statement that gives a class its public name."""


def has_adapter(mapping: Mapping) -> bool:
    """Whether an adapter is generated: from the runtime, as a refusal, or for calls that all counterparts take."""
    api = mapping.api
    if api is None:
        return False
    if mapping.entry.runtime is not None:
        return api.kind != "function" or all(_declarable(form) for form in api.forms)
    if not mapping.counterparts or mapping.entry.migrate is not None:
        return api.kind == "class" or (api.kind == "function" and bool(api.forms))
    if api.kind not in CALLABLE or not (api.forms or api.kind == "property"):
        return False
    joined = [c for each in mapping.counterparts for c in (each, each.call) if c is not None]
    taken = all(counterpart.bindings and not counterpart.untreated for counterpart in joined)
    contract = mapping.entry.contract
    return (
        taken
        and (api.kind != "class" or len(api.forms) == 1)
        and _known_shape(contract, mapping)
        and all(_expressible(b, contract) and _settled(b, contract) for c in joined for b in c.bindings)
    )


def _known_shape(contract: Contract, mapping: Mapping) -> bool:
    """Collectives have a group, at most one output, and ranks in both spaces or none; others have no outputs."""
    collective = contract.collective
    if collective is None:
        return not contract.outputs
    bindings = [b for c in mapping.counterparts for b in c.bindings]
    names = {p.name for b in bindings for p in b.torch.parameters}
    spaces = sorted(collective.ranks.values())
    one_form = len(bindings) == len(mapping.counterparts)
    return one_form and len(contract.outputs) <= 1 and "group" in names and spaces in ([], ["global", "group"])


def _expressible(binding: Binding, contract: Contract) -> bool:
    """Whether both signatures can be written down: no names that Python keeps, defaults that have a meaning here; and
    for a collective no variadics."""
    receivers = [passing.receiver for passing in binding.passings]
    variadic = any(p.kind.startswith("var_") for p in (*receivers, *binding.torch.parameters))
    if any(keyword.iskeyword(p.name) or p.kind == "var_keyword" for p in receivers):
        return False
    return _declarable(binding.torch) and not (variadic and contract.collective)


def _declarable(form: Signature) -> bool:
    return not any(keyword.iskeyword(p.name) for p in form.parameters) and all(
        p.default is None
        or is_literal(p.default)
        or is_reduce_op(p.default)
        or p.default in NO_GROUP_YET
        or p.name in GENERAL_PARAMETERS
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
    if mapping.entry.migrate is not None:
        shown = "The page of this API shows a program before and after."
        return _refusing(mapping, f"{mapping.name} has no drop-in in MindSpore.", mapping.entry.migrate, shown)
    if not mapping.counterparts:
        assert mapping.entry.unmapped is not None
        return _refusing(mapping, f"{mapping.name} has no counterpart in MindSpore.", mapping.entry.unmapped.instead)
    if mapping.entry.contract.collective is None:
        return _in_one_process(mapping)
    form = CallForm(mapping, mapping.counterparts[0].bindings[0].torch.parameters)
    targets = tuple(form.target(counterpart) for counterpart in mapping.counterparts)
    public = form.public()
    registered = [
        repr_(mapping.name),
        *(f"Target({repr_(c.id)}, {repr_(c.target.mindspore)}, _{c.id}{_lacks(c)})" for c in mapping.counterparts),
    ]
    return _module(
        mapping, form.typing, {"Api", "Target", *form.used}, public=public, targets=targets,
        registration=tuple(statement("_API = ", "Api", registered)),
    )  # fmt: skip


def _in_one_process(mapping: Mapping) -> ModuleView:
    """The module of a function, a method or a class that no other process takes part in."""
    parts = parts_of(mapping)
    view = _module(
        mapping, parts.typing, parts.used, public=parts.public, targets=tuple(parts.functions),
        registration=tuple(parts.registration), overloads=tuple(parts.overloads), forms=tuple(parts.forms),
    )  # fmt: skip
    return replace(
        view, package=CALLS, constants=tuple(parts.constants), classes=tuple(map(tuple, parts.classes)),
        last=tuple(parts.last),
    )  # fmt: skip


def _lacks(counterpart: Counterpart) -> str:
    lacking = lacks(counterpart)
    return f", {repr_(lacking)}" if lacking else ""


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


def _refusing(mapping: Mapping, why: str, instead: Text, shown: str = "") -> ModuleView:
    """The module of an API that nothing stands in for: torch's signature, and the sentence that helps."""
    assert mapping.api is not None
    said = " ".join([why, *instead.en.split(), *shown.split()])
    pieces = [repr_(piece) for piece in textwrap.wrap(said, WIDTH - 16, drop_whitespace=False)]
    if mapping.api.kind == "class":
        refusal = [
            f"class {mapping.name.rpartition('.')[2]}(metaclass=Missing):",
            *(f"    {line}" if line else "" for line in f'"""{CallForm(mapping, ()).doc()}"""'.split("\n")),
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
