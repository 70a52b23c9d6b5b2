"""How torch declares its signatures: an imported torch and a public name go in, the name's forms come out.

Most of torch is written in C++. Its type stubs declare the builtins; the functions of `linalg`, `special` and
`fft` that no stub declares have operator schemas; what is left is in the docstring.
"""

import ast
import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from mapspore.facts.annotations import alternatives
from mapspore.facts.extract import docstring, docstring_signatures, locate, schema
from mapspore.facts.extract.source import opaque
from mapspore.facts.extract.surface import Member, Surface
from mapspore.facts.extract.torch_names import ADDED, FORMER, LEFT_OUT, MODULES, SCOPES, UNDOCUMENTED
from mapspore.facts.extract.torch_stubs import Stubs
from mapspore.facts.snapshot import Deprecation, Note, Parameter, Signature

# Parameters that the stubs leave out here and there, and that torch accepts wherever it documents them.
UNDECLARED = frozenset({"memory_format", "pin_memory"})
# Functions whose stub lets all parameters stand by position, while the parser takes all but the first by keyword only.
BY_KEYWORD = frozenset({"torch.tensor", "torch.as_tensor"})
CONSTRUCTORS = ("__init__", "__new__")


class Torch:
    """The installed torch, as a reader of facts."""

    framework = "torch"

    def __init__(self) -> None:
        import torch
        import torch.distributed
        import torch.utils.data.distributed

        for module in FORMER:
            importlib.import_module(module)
        self._torch = torch
        self._legacy = type(torch.FloatTensor)
        self._stubs = Stubs(Path(torch.__file__).parent)
        self.version = str(torch.__version__).partition("+")[0]
        self.surface = Surface(
            framework="torch",
            scopes=SCOPES,
            modules=MODULES,
            former=FORMER,
            constants=(torch.dtype, torch.layout, torch.memory_format),
            callables=(),
            listed_by={"torch.distributed": "torch.distributed.distributed_c10d"},
            added=ADDED,
            left_out=LEFT_OUT,
            loose=frozenset({"torch"}),
            layers=(torch.nn.Module,),
            without_members=(torch.TypedStorage, torch.UntypedStorage, torch._C.Type),
            virtual_bases={cls: (torch.Tensor,) for cls in self._typed_tensors()},
            is_public=self._is_public,
        )

    def forms(self, member: Member) -> tuple[Signature, ...]:
        """The forms of a function or method."""
        stated = docstring_signatures.signatures(self.doc(member), member.last)
        if member.owner is not None:
            forms = self._method_forms(member) or tuple(_unbound(form) for form in stated)
        else:
            forms = self._function_forms(member, stated) or locate.runtime_forms(member.value)
        if locate.function_place(member.value) is None:
            forms = _with_undeclared(forms, stated)
        if member.name in BY_KEYWORD:
            forms = tuple(replace(form, parameters=_by_keyword(form.parameters)) for form in forms)
        return _with_documented(forms, stated)

    def constructor(self, cls: type) -> tuple[Signature, ...]:
        """The forms of creating an instance."""
        if isinstance(cls, self._legacy):
            return self.constructor(self._torch.Tensor)
        if issubclass(cls, BaseException) and not inspect.isfunction(cls.__init__):
            return (Signature((Parameter("args", "var_positional"),)),)
        if sum(map(dataclasses.is_dataclass, cls.__mro__)) > 1:
            return locate.runtime_forms(cls)  # it has the fields of another dataclass too
        created = docstring_signatures.signatures(docstring.of(getattr(cls, "__init__", "")), "__init__")
        for base in cls.__mro__:
            found = locate.class_declarations(base)
            if found and (form := found.dataclass_form(base.__qualname__)):
                return (form,)
            written = (locate.member_forms(base, name) for name in CONSTRUCTORS if name in base.__dict__)
            declared = (self._stubs.methods(base, name) for name in CONSTRUCTORS)
            forms = next(filter(None, chain(written, declared)), ())
            if forms and base is self._torch.nn.Module and cls is not base:
                return (Signature(),)  # it accepts anything, so as to refuse it with a better message
            if forms:
                return _with_documented(forms, created)
        if locate.takes_nothing(cls):
            return (Signature(),)
        if issubclass(cls, tuple) and not hasattr(cls, "_fields"):
            return (Signature((Parameter("iterable", "positional_only", "()"),)),)
        return tuple(_unbound(form) for form in created) or locate.runtime_forms(cls)

    def call(self, cls: type) -> tuple[Signature, ...]:
        """The forms of calling an instance."""
        if issubclass(cls, self._torch.nn.Module):
            return () if cls is self._torch.nn.Module else locate.member_forms(cls, "forward")
        return locate.member_forms(cls, "__call__")

    def value_type(self, member: Member) -> str | None:
        """The annotation of a property."""
        if forms := locate.function_forms(member.value):
            return forms[0].returns
        bases = member.owner.__mro__ if member.owner else ()
        return next(filter(None, (self._stubs.value_type(base, member.last) for base in bases)), None)

    def doc(self, member: Member) -> str:
        """The docstring."""
        return docstring.of(member.value)

    def deprecation(self, member: Member) -> Deprecation | None:
        """What docstring and decorator state; the docstring's word goes first."""
        message = getattr(member.value, "__deprecated__", None)
        stated = docstring.deprecation(self.doc(member), member.name)
        if stated is None or (message and not stated.replacement):
            return docstring.ended(message) if message else None
        return stated

    def notes(self, member: Member) -> tuple[Note, ...]:
        """None: torch's docstrings have no platforms, modes or announced changes in a form that could be read."""
        return ()

    def _typed_tensors(self) -> Iterator[type]:
        """The classes such as `torch.FloatTensor`; a tensor is an instance of one by its dtype and device."""
        for module in (self._torch, self._torch.cuda, self._torch.sparse):
            yield from (value for value in vars(module).values() if isinstance(value, self._legacy))

    def _function_forms(self, member: Member, stated: tuple[Signature, ...]) -> tuple[Signature, ...]:
        value = member.value
        if forms := locate.function_forms(value):
            if not any(opaque(form) for form in forms):
                return (_with_scripted(forms[0], self._scripted(value)),) if len(forms) == 1 else forms
            return self._stubs.functions("torch.nn.functional", member.last) or stated or forms
        if member.name.startswith(("torch.linalg.", "torch.special.", "torch.fft.")):
            return schema.forms(value.__name__) or stated
        home = getattr(value, "__module__", None) or ""
        first = "torch.nn.functional" if home == "torch._C._nn" else "torch._C._VariableFunctions"
        modules = (first, "torch._C._VariableFunctions", home, "torch._C", "torch._C._nn")
        declared = (self._stubs.functions(module, value.__name__) for module in modules)
        return next(filter(None, declared), stated)

    def _scripted(self, value: Any) -> tuple[Signature, ...]:
        """The forms that torch declares of a Python function for TorchScript, where it has several."""
        known = self._torch._jit_internal._overloaded_fns
        name = f"__torch__.{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"
        return tuple(form for each in known.get(name, ()) for form in locate.runtime_forms(each))

    def _method_forms(self, member: Member) -> tuple[Signature, ...]:
        assert member.owner is not None
        if forms := locate.member_forms(member.owner, member.last):
            return forms
        declared = (self._stubs.methods(base, member.last) for base in member.owner.__mro__)
        return next(filter(None, declared), ())

    def _is_public(self, name: str, kind: str, value: Any) -> bool:
        if name in UNDOCUMENTED:
            return True
        if kind == "class":
            known = name.startswith("torch.distributed.") or isinstance(value, self._legacy)
            return known or bool(docstring.of(value))
        written_in_python = isinstance(value, property | staticmethod | classmethod) or inspect.isfunction(value)
        return not written_in_python or bool(docstring.of(value))


def _unbound(form: Signature) -> Signature:
    starts = bool(form.parameters) and form.parameters[0].name == "self"
    return replace(form, parameters=form.parameters[1:]) if starts else form


def _with_scripted(form: Signature, others: tuple[Signature, ...]) -> Signature:
    """The only form of a function, whose annotations allow what those of its overloads do: Python checks neither, and
    the function itself may be annotated with the types of one of them."""

    def widened(parameter: Parameter) -> Parameter:
        if parameter.annotation is None:
            return parameter
        stated = [p.annotation for other in others for p in other.parameters if p.name == parameter.name]
        parts = [part for text in (parameter.annotation, *stated) for part in alternatives(text or "")]
        kinds = dict.fromkeys(part.removeprefix("torch.") for part in parts if part)
        ordered = [*(kind for kind in kinds if kind != "None"), *(["None"] if "None" in kinds else [])]
        return replace(parameter, annotation=" | ".join(ordered)) if stated else parameter

    return replace(form, parameters=tuple(map(widened, form.parameters)))


def _by_keyword(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    first, *rest = parameters
    return (first, *(replace(parameter, kind="keyword_only") for parameter in rest))


def _with_undeclared(forms: tuple[Signature, ...], stated: tuple[Signature, ...]) -> tuple[Signature, ...]:
    """Add the parameters that no stub declares and torch documents and accepts."""
    known = {parameter.name for form in forms for parameter in form.parameters}
    documented = dict.fromkeys(parameter for form in stated for parameter in form.parameters)
    missing = [replace(p, kind="keyword_only") for p in documented if p.name in UNDECLARED - known and p.default]
    return tuple(replace(form, parameters=(*form.parameters, *missing)) for form in forms)


def _with_documented(forms: tuple[Signature, ...], stated: tuple[Signature, ...]) -> tuple[Signature, ...]:
    """Add the defaults that a stub leaves as `...` and the docstring states, or states differently."""
    defaults: dict[str, set[str]] = {}
    for parameter in (parameter for form in stated for parameter in form.parameters):
        if parameter.default not in (None, "..."):
            defaults.setdefault(parameter.name, set()).add(str(parameter.default))
    return tuple(
        replace(form, parameters=tuple(_stated(p, defaults.get(p.name, set())) for p in form.parameters))
        for form in forms
    )


def _stated(parameter: Parameter, documented: set[str]) -> Parameter:
    if len(documented) != 1 or parameter.default is None:
        return parameter
    (default,) = documented
    if parameter.default == "...":
        return replace(parameter, default=default)
    return parameter if _value(parameter.default) == _value(default) else replace(parameter, documented=default)


def _value(text: str) -> object:
    """What a default means: a number, text, sequence, or else its words."""
    words = text.replace(" ", "").replace('"', "'").removeprefix("torch.")
    if fraction := re.fullmatch(r"([\d.]+)/([\d.]+)", words):
        return float(fraction[1]) / float(fraction[2])
    try:
        value = ast.literal_eval(words)
    except (ValueError, SyntaxError):
        return words
    return tuple(value) if isinstance(value, list) else value
