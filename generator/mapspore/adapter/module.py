"""From a mapping to the adapter's Python: which sort of module an entry has, and what its template prints.

In goes a mapping; out comes a `ModuleView`: the template's name, the imports, and a view of the content, whose strings
are Python already. Sorts of module: calls of MindSpore made from the entry's fields (a function, one of several call
forms, a collective, a class); torch's signature before a function of the runtime; a class or a value that the runtime
has; and, where MindSpore has nothing, what raises the sentence that helps.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

from mapspore.adapter.call import short
from mapspore.adapter.collective import CollectiveView, Roles, collective_view
from mapspore.adapter.declaration import Declaration, Refusal
from mapspore.adapter.function import FunctionView, OverloadsView, function_view, slots_of
from mapspore.adapter.layer import LayerView, layer_view
from mapspore.adapter.python_source import LINE, WIDTH, call, repr_
from mapspore.adapter.runtime_names import Names
from mapspore.base.artifact import MARK
from mapspore.facts.snapshot import Api, Parameter
from mapspore.resolve.adaptable import returns_nothing
from mapspore.resolve.registry import Mapping
from mapspore.words.kinds import NUMPY_NAMES
from mapspore.words.runtime import communicates, parameters_of

HANDED = {"keyword_only": "{name}=", "var_positional": "*"}
"""What stands before an argument that is handed on, by the kind of its parameter."""


@dataclass(frozen=True, slots=True)
class RuntimeNameView:
    """The module of a class or a value that the runtime has: the import is all of it."""


@dataclass(frozen=True, slots=True)
class ConstantView:
    """The module of a constant: MindSpore's, or a value that is known."""

    name: str
    value: str
    docstring: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """The module of a function that has one answer, or that has nothing to do."""

    signature: str
    docstring: str
    returned: str


@dataclass(frozen=True, slots=True)
class RuntimeFunctionView:
    """The module of torch's signature before a function of the runtime."""

    torch: str
    signature: str
    docstring: str
    refusals: tuple[Refusal, ...]
    call: str
    mindspore: tuple[str, ...]
    communicates: bool


@dataclass(frozen=True, slots=True)
class RuntimeOverloadsView:
    """The module of a function of the runtime that tensors are given to, in one or several call forms."""

    torch: str
    name: str
    docstring: str
    forms: tuple[tuple[str, ...], ...]
    """By call form: its parameters as data; none where the function takes calls as they are."""
    declared: tuple[str, ...]
    function: str
    refused: str
    """Parameters that the runtime has no place for, as Python, or nothing."""
    numpy: bool
    """Whether torch takes NumPy's names for some of the parameters."""
    mindspore: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RefusedFunctionView:
    """The module of a function that MindSpore has nothing for."""

    signature: str
    docstring: str
    sentence: tuple[str, ...]
    """What to do instead, in pieces of a line, as Python."""


@dataclass(frozen=True, slots=True)
class RefusedClassView:
    """The module of a class that MindSpore has nothing for."""

    name: str
    docstring: str
    sentence: str
    """What to do instead, as Python: on the line of its name if it fits there."""


Content = (
    FunctionView | OverloadsView | CollectiveView | LayerView | ConstantView | AnswerView
    | RuntimeNameView | RuntimeFunctionView | RuntimeOverloadsView | RefusedFunctionView | RefusedClassView
)  # fmt: skip
TEMPLATES: dict[type[Content], str] = {
    FunctionView: "function",
    OverloadsView: "overloads",
    CollectiveView: "collective",
    LayerView: "layer",
    ConstantView: "constant",
    AnswerView: "answer",
    RuntimeNameView: "runtime_name",
    RuntimeFunctionView: "runtime_function",
    RuntimeOverloadsView: "runtime_overloads",
    RefusedFunctionView: "refused_function",
    RefusedClassView: "refused_class",
}


@dataclass(frozen=True, slots=True)
class ModuleView:
    """A generated module."""

    path: str
    source: str
    title: str
    typing: str
    """What is imported from `typing`, or nothing."""
    imports: tuple[str, ...]
    """The imports from the runtime, line by line."""
    name: str
    content: Content

    @property
    def origin(self) -> str:
        """From which file it is generated, where that fits on the first line."""
        told = f" from {self.source}"
        return told if len(f"# {MARK}{told}; do not edit.") <= LINE else ""

    @property
    def template(self) -> str:
        return f"code/{TEMPLATES[type(self.content)]}.py.j2"


def module_of(torch: str) -> str:
    """The adapter's package for a torch name: `torch.distributed.gather` lives in `torchspore.distributed`, and what
    belongs to a class beside it, where its name cannot be taken for the class: `torch.Tensor.abs` in
    `torchspore._Tensor_members`."""
    _, *parts = torch.split(".")[:-1]
    return ".".join(["torchspore", *(f"_{part}{MEMBERS}" if part[0].isupper() else part for part in parts)])


MEMBERS = "_members"
"""How the name of a package ends that holds what belongs to a class."""


def module_path(torch: str) -> str:
    folder = module_of(torch).replace(".", "/")
    return f"adapter/{folder}/_{torch.rpartition('.')[2]}.py"


def emit(mapping: Mapping) -> ModuleView:
    """The module of one entry."""
    names = Names()
    content = _content(mapping, names)
    return ModuleView(
        path=module_path(mapping.name),
        source=mapping.source.path,
        title=f"{mapping.name} on MindSpore.",
        typing=", ".join(names.typed),
        imports=names.imports(),
        name=short(mapping),
        content=content,
    )


def _content(mapping: Mapping, names: Names) -> Content:
    assert mapping.api is not None
    entry = mapping.entry
    if entry.runtime is not None:
        return _of_runtime(mapping, entry.runtime, names)
    if entry.migrate is not None:
        shown = "The page of this API shows a program before and after."
        return _refused(mapping, f"{mapping.name} has no drop-in in MindSpore. {entry.migrate.en} {shown}", names)
    if entry.unmapped is not None:
        return _refused(mapping, f"{mapping.name} has no counterpart in MindSpore. {entry.unmapped.instead.en}", names)
    if mapping.port in ("answer", "unneeded"):
        return _alone(mapping, names)
    if mapping.port == "value":
        names.use("mindspore")
        return _constant(mapping, mapping.counterparts[0].target.mindspore, names)
    if entry.contract.collective is not None:
        return collective_view(mapping, names)
    return layer_view(mapping, names) if mapping.api.kind == "class" else function_view(mapping, names)


def _of_runtime(
    mapping: Mapping, name: str, names: Names
) -> RuntimeNameView | RuntimeFunctionView | RuntimeOverloadsView:
    """What the runtime has ready: a function behind torch's signature, or the thing itself."""
    assert mapping.api is not None
    public, last = short(mapping), name.rpartition(".")[2]
    if mapping.api.kind != "function":
        names.use(name if last == public else f"{name} as {public}")
        return RuntimeNameView()
    if not communicates(name):
        return _runtime_overloads(mapping, name, names)
    declaration = _declaration(mapping, mapping.api.forms[0].parameters, names)
    preferred = mapping.preferred()
    # what the runtime has itself takes all that torch does; what communicates is limited by what it communicates with
    refusals = declaration.refusals(preferred.bindings[0]) if preferred and communicates(name) else ()
    refused = {refusal.name for refusal in refusals}
    taken = [
        f"{HANDED.get(parameter.kind, '').format(name=parameter.name)}{parameter.name}"
        for parameter in declaration.parameters
        if parameter.name not in refused
    ]
    function = names.use(f"{name} as _{last}" if last == public else name)
    names.use("Composed")
    return RuntimeFunctionView(
        torch=mapping.name,
        signature=declaration.signature(public, names.any()),
        docstring=declaration.docstring(),
        refusals=refusals,
        call=textwrap.indent(call(function, taken, LINE - len("    return ")), "    ").lstrip(),
        mindspore=tuple(counterpart.target.mindspore for counterpart in mapping.counterparts),
        communicates=communicates(name),
    )


def _in_python(api: Api) -> bool:
    """Whether torch has it in Python, where arguments have the names that are declared and no others."""
    return any(place.startswith("torch.functional.") for place in api.places)


def _runtime_overloads(mapping: Mapping, name: str, names: Names) -> RuntimeOverloadsView:
    """torch's call forms before one function, which takes them all."""
    assert mapping.api is not None
    forms = [form.parameters for form in mapping.api.forms if not form.legacy] or [mapping.api.forms[0].parameters]
    told = _told_apart([_declaration(mapping, form, names) for form in forms])
    for word in ("Any", *(["overload"] if len(told) > 1 else [])):
        names.typing(word)
    if _takes_calls_as_they_are(mapping, name):
        forms = []
    for word in ("Composed", *(["Form", "Forms"] if forms else []), *(["Slot"] if any(forms) else [])):
        names.use(word)
    public, last = short(mapping), name.rpartition(".")[2]
    named = {parameter.name for form in forms for parameter in form}
    return RuntimeOverloadsView(
        torch=mapping.name,
        name=public,
        docstring=told[0].docstring(),
        forms=tuple(map(slots_of, forms)),
        declared=tuple(each.signature(public, names.any()) for each in told) if len(told) > 1 else (),
        function=names.use(f"{name} as _{last}" if last == public else name),
        refused=repr_(("out",)) if "out" in named else "",
        numpy=not _in_python(mapping.api) and not named.isdisjoint(NUMPY_NAMES.values()),
        mindspore=tuple(counterpart.target.mindspore for counterpart in mapping.counterparts),
    )


def _takes_calls_as_they_are(mapping: Mapping, name: str) -> bool:
    """Whether no call has to be looked at before the runtime's function gets it: torch's is written in Python too, has
    one call form and no parameter that must be a tensor, and both have the same parameters. What torch has built in
    looks at the types of its arguments."""
    assert mapping.api is not None
    if len(mapping.api.forms) != 1:
        return False
    wanted = mapping.api.forms[0].parameters
    names = [parameter.name for parameter in wanted]
    in_python = mapping.name.count(".") > 1 or any(parameter.kind == "var_keyword" for parameter in wanted)
    takes_any = not any(parameter.annotation == "Tensor" for parameter in wanted)
    return in_python and takes_any and names == [each for each in parameters_of(name) or () if each in names]


def _told_apart(declarations: list[Declaration]) -> list[Declaration]:
    """The call forms without those that an earlier one takes too, as far as names tell."""
    kept: list[Declaration] = []
    for each in declarations:
        if not any(_takes_all(earlier.parameters, each.parameters) for earlier in kept):
            kept.append(each)
    return kept


def _takes_all(wider: tuple[Parameter, ...], parameters: tuple[Parameter, ...]) -> bool:
    """Whether every call of one form is a call of the other."""
    by_name = {parameter.name: parameter for parameter in wider}
    placed = [p.name for p in parameters if p.kind != "keyword_only"]
    known = [p.name for p in wider if p.kind != "keyword_only"][: len(placed)]
    taken = placed == known and all(p.name in by_name for p in parameters)
    missing = {p.name for p in wider if p.required} - {p.name for p in parameters if p.required}
    return taken and not missing


def _constant(mapping: Mapping, value: str, names: Names) -> ConstantView:
    return ConstantView(short(mapping), value, _declaration(mapping, (), names).docstring())


def _alone(mapping: Mapping, names: Names) -> ConstantView | AnswerView | RuntimeNameView:
    """What needs nothing of MindSpore: an answer that is known, or nothing to do."""
    assert mapping.api is not None
    api, public = mapping.api, short(mapping)
    if mapping.port == "answer":
        known = mapping.answer
        value = f"{_literal(known)}[{names.use('platform')}()]" if isinstance(known, dict) else _literal(known)
        if api.kind == "constant":
            return _constant(mapping, value, names)
    elif api.kind == "class":
        names.use(f"Transparent as {public}")
        return RuntimeNameView()
    else:
        value = "None" if returns_nothing(api) else _transparent(api, names)
    declaration = _declaration(mapping, api.forms[0].parameters if api.forms else (), names)
    return AnswerView(declaration.signature(public, names.any()), declaration.docstring(), value)


def _transparent(api: Api, names: Names) -> str:
    """A decorator, or a context: it gives back the function that it is put on."""
    first = next((p.name for p in api.forms[0].parameters if not p.kind.startswith("var_")), "") if api.forms else ""
    return f"{names.use('transparent')}({first})"


def _literal(value: object) -> str:
    """A value that an entry states, as Python; a number that has no literal by its name."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{repr_(key)}: {_literal(each)}' for key, each in value.items())}}}"
    endless = isinstance(value, float) and not math.isfinite(value)
    return f'float("{value}")' if endless else repr_(value)


def _refused(mapping: Mapping, sentence: str, names: Names) -> RefusedFunctionView | RefusedClassView:
    """What nothing stands in for: torch's signature, and the sentence that helps."""
    assert mapping.api is not None
    whole = " ".join(sentence.split())
    quoted = tuple(map(repr_, textwrap.wrap(whole, WIDTH - 16, drop_whitespace=False)))
    if mapping.api.kind == "class":
        names.use("Missing")
        line = repr_(whole)
        pieces = line if len(line) <= LINE - len("    says = ") else "\n    ".join(("(", *quoted)) + "\n)"
        return RefusedClassView(short(mapping), _declaration(mapping, (), names).docstring(), pieces)
    names.use("NoCounterpart")
    declaration = _declaration(mapping, mapping.api.forms[0].parameters, names)
    signature = declaration.signature(short(mapping), names.typing("NoReturn"))
    return RefusedFunctionView(signature, declaration.docstring(), quoted)


def _declaration(mapping: Mapping, parameters: tuple[Parameter, ...], names: Names) -> Declaration:
    return Declaration(mapping, parameters, names, Roles(mapping, parameters, names).type_of)
