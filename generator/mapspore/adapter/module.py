"""From a mapping to the adapter's Python: which sort of module an entry has, and what its template prints.

In goes a mapping; out comes a `ModuleView`: the template's name, the imports, and a view of the content, whose strings
are Python already. Sorts of module: calls of MindSpore made from the entry's fields (a function, one of several call
forms, a collective, a class); what the runtime has (`runtime.py`); an answer that is known; and, where MindSpore has
nothing, what raises the sentence that helps.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

from mapspore.adapter.call import short
from mapspore.adapter.collective import CollectiveView, collective_view, declaration_of
from mapspore.adapter.function import FunctionView, OverloadsView, function_view
from mapspore.adapter.layer import LayerView, layer_view
from mapspore.adapter.python_source import LINE, WIDTH, repr_
from mapspore.adapter.runtime import RuntimeFunctionView, RuntimeNameView, RuntimeOverloadsView, runtime_view
from mapspore.adapter.runtime_names import Names
from mapspore.base.artifact import MARK
from mapspore.facts.snapshot import Api
from mapspore.resolve.adaptable import returns_nothing
from mapspore.resolve.module_paths import module_path
from mapspore.resolve.registry import Mapping


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
        return runtime_view(mapping, entry.runtime, names)
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


def _constant(mapping: Mapping, value: str, names: Names) -> ConstantView:
    return ConstantView(short(mapping), value, declaration_of(mapping, (), names).docstring())


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
    declaration = declaration_of(mapping, api.forms[0].parameters if api.forms else (), names)
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
        return RefusedClassView(short(mapping), declaration_of(mapping, (), names).docstring(), pieces)
    names.use("NoCounterpart")
    declaration = declaration_of(mapping, mapping.api.forms[0].parameters, names)
    signature = declaration.signature(short(mapping), names.typing("NoReturn"))
    return RefusedFunctionView(signature, declaration.docstring(), quoted)
