"""From an entry whose `runtime:` names a part of the adapter's runtime to the Python before it. In: a mapping and that
name. Out: what its template prints: torch's signature before a function, all its call forms before a function that
tensors are given to, or the import of a class or a value.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace

from mapspore.adapter.call import short
from mapspore.adapter.collective import declaration_of
from mapspore.adapter.declaration import Declaration, Refusal
from mapspore.adapter.function import slots_of
from mapspore.adapter.python_source import LINE, call, repr_
from mapspore.adapter.runtime_names import Names
from mapspore.facts.snapshot import Api, Parameter
from mapspore.resolve.registry import Mapping
from mapspore.resolve.resolve import METHODS, SELF
from mapspore.words.kinds import NUMPY_NAMES
from mapspore.words.runtime import communicates, keyword_only_of, parameters_of

BUILT_IN = frozenset({
    "adaptive_avg_pool1d", "avg_pool1d", "avg_pool2d", "avg_pool3d", "bilinear", "channel_shuffle", "conv1d", "conv2d",
    "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "gelu", "hardshrink",
    "linear", "logsigmoid", "native_channel_shuffle", "one_hot", "pairwise_distance", "pdist", "pixel_shuffle",
    "pixel_unshuffle", "prelu", "scaled_dot_product_attention", "softplus", "softshrink",
})  # fmt: skip
"""The functions of `torch.nn.functional` that torch has in C++, so that they take NumPy's names too; it has the others
in Python. The stubs do not tell which; a test asks torch."""
HANDED = {"keyword_only": "{name}=", "var_positional": "*"}
"""What stands before an argument that is handed on, by the kind of its parameter."""


@dataclass(frozen=True, slots=True)
class RuntimeNameView:
    """The module of a class or a value that the runtime has: the import is all of it."""


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


RuntimeView = RuntimeNameView | RuntimeFunctionView | RuntimeOverloadsView


def runtime_view(mapping: Mapping, name: str, names: Names) -> RuntimeView:
    """What the runtime has ready: a function behind torch's signature, or the thing itself."""
    assert mapping.api is not None
    public, last = short(mapping), name.rpartition(".")[2]
    if not mapping.is_function_of_runtime and mapping.api.kind != "function":
        names.use(name if last == public else f"{name} as {public}")
        return RuntimeNameView()
    if not communicates(name):
        return _runtime_overloads(mapping, name, names)
    declaration = declaration_of(mapping, mapping.api.forms[0].parameters, names)
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
    module, _, last = api.name.rpartition(".")
    if module == "torch.nn.functional":
        return last not in BUILT_IN
    return any(place.startswith("torch.functional.") for place in api.places)


def _runtime_overloads(mapping: Mapping, name: str, names: Names) -> RuntimeOverloadsView:
    """torch's call forms before one function, which takes them all."""
    assert mapping.api is not None
    of_call = [form.parameters for form in mapping.api.forms if not form.legacy] or [mapping.api.forms[0].parameters]
    forms = [(SELF, *form) if mapping.api.kind in METHODS else form for form in of_call]
    by_name = keyword_only_of(name) if len(forms) == 1 else frozenset()
    forms = [tuple(replace(p, kind="keyword_only") if p.name in by_name else p for p in form) for form in forms]
    told = _told_apart([declaration_of(mapping, form, names) for form in forms])
    for word in ("Any", *(["overload"] if len(told) > 1 else [])):
        names.typing(word)
    if mapping.api.kind == "function" and _takes_calls_as_they_are(mapping, name):
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
