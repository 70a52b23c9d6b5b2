"""How torch declares its signatures: an imported torch and a public name go in, the name's forms come out.

Most of torch is written in C++. Its type stubs declare the builtins; the functions of `linalg`, `special` and
`fft` that no stub declares have operator schemas; what is left is in the docstring.
"""

import ast
import inspect
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from mapspore.facts import docstring, locate, schema, spelled
from mapspore.facts.snapshot import Deprecation, Form, Parameter
from mapspore.facts.source import opaque
from mapspore.facts.surface import Member, Surface
from mapspore.facts.torch_stubs import Stubs

SCOPES = (
    "torch.nn.functional",
    "torch.nn",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.nn.parallel",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.distributed",
    "torch.linalg",
    "torch.special",
    "torch.fft",
    "torch.utils.data",
    "torch.utils.data.distributed",
    "torch",
)
# Present or absent with the build of the package, or machinery of the compiler and of subclasses of Tensor.
LEFT_OUT = frozenset(
    {f"torch.distributed.ProcessGroup{backend}" for backend in ("Gloo", "MPI", "NCCL", "UCC", "XCCL")}
    | {f"torch.{name}" for name in ("AggregationType", "DispatchKey", "ScriptClass", "ScriptFunction", "Tag")}
    | {f"torch.nn.functional.has_torch_function{suffix}" for suffix in ("", "_unary", "_variadic")}
)
# Classes of the C++ library that torch.distributed documents and no `__all__` lists.
ADDED = frozenset(
    f"torch.distributed.{name}"
    for name in ("BuiltinCommHookType", "FileStore", "GradBucket", "HashStore", "TCPStore")
)
# Classes without a docstring that are public all the same.
UNDOCUMENTED = frozenset(
    f"torch.{name}"
    for name in (
        "Generator",
        "Size",
        "Tensor",
        "TypedStorage",
        "UntypedStorage",
        "device",
        "dtype",
        "finfo",
        "iinfo",
        "layout",
        "memory_format",
        "qscheme",
    )
)

# Parameters that the stubs leave out here and there, and that torch accepts wherever it documents them.
UNDECLARED = frozenset({"memory_format", "pin_memory"})
CONSTRUCTORS = ("__init__", "__new__")


class Torch:
    """The installed torch, as a reader of facts."""

    framework = "torch"

    def __init__(self) -> None:
        import torch
        import torch.distributed
        import torch.utils.data.distributed

        self._torch = torch
        self._stubs = Stubs(Path(torch.__file__).parent)
        self.version = str(torch.__version__).partition("+")[0]
        self.surface = Surface(
            framework="torch",
            scopes=SCOPES,
            constants=(torch.dtype, torch.layout, torch.memory_format),
            callables=(),
            listed_by={"torch.distributed": "torch.distributed.distributed_c10d"},
            added=ADDED,
            left_out=LEFT_OUT,
            loose=frozenset({"torch"}),
            without_members=(torch.TypedStorage, torch.UntypedStorage),
            virtual_bases={},
            is_public=self._is_public,
        )

    def forms(self, member: Member) -> tuple[Form, ...]:
        """The forms of a function or method."""
        if member.owner is not None:
            return self._completed(self._method_forms(member), self.doc(member), member.last)
        return self._completed(self._function_forms(member), self.doc(member), member.last)

    def constructor(self, cls: type) -> tuple[Form, ...]:
        """The forms of creating an instance."""
        if issubclass(cls, BaseException):
            return (Form((Parameter("args", "var_positional"),)),)
        for base in cls.__mro__:
            found = locate.class_declarations(base)
            if found and (form := found.dataclass_form(base.__qualname__)):
                return (form,)
            written = (locate.member_forms(base, name) for name in CONSTRUCTORS if name in base.__dict__)
            declared = (self._stubs.methods(base, name) for name in CONSTRUCTORS)
            forms = next((forms for forms in (*written, *declared) if forms), ())
            if forms and base is self._torch.nn.Module and cls is not base:
                return (Form(),)  # it accepts anything, so as to refuse it with a better message
            if forms:
                return self._completed(forms, cls.__init__.__doc__ or "", "__init__")
        if locate.takes_nothing(cls):
            return (Form(),)
        if issubclass(cls, tuple):
            return (Form((Parameter("iterable", "positional_only", "()"),)),)
        return tuple(_unbound(form) for form in spelled.signatures(cls.__init__.__doc__ or "", "__init__"))

    def call(self, cls: type) -> tuple[Form, ...]:
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
        return inspect.getdoc(member.value) or ""

    def deprecation(self, member: Member) -> Deprecation | None:
        """What docstring and decorator state; the docstring's word goes first."""
        message = getattr(member.value, "__deprecated__", None)
        stated = docstring.deprecation(self.doc(member), member.name)
        return stated or (docstring.ended(message) if message else None)

    def _function_forms(self, member: Member) -> tuple[Form, ...]:
        value, stated = member.value, spelled.signatures(self.doc(member), member.last)
        if forms := locate.function_forms(value):
            if not any(opaque(form) for form in forms):
                return forms
            return self._stubs.functions("torch.nn.functional", member.last) or stated or forms
        if member.name.startswith(("torch.linalg.", "torch.special.", "torch.fft.")):
            return schema.forms(value.__name__) or stated
        home = getattr(value, "__module__", None) or ""
        modules = ("torch._C._VariableFunctions", home, "torch._C", "torch._C._nn")
        if home == "torch._C._nn":
            modules = ("torch.nn.functional", *modules)
        declared = (self._stubs.functions(module, value.__name__) for module in modules)
        return next((forms for forms in declared if forms), stated)

    def _method_forms(self, member: Member) -> tuple[Form, ...]:
        bases = member.owner.__mro__ if member.owner else ()
        written = (locate.member_forms(base, member.last) for base in bases[:1])
        declared = (self._stubs.methods(base, member.last) for base in bases)
        stated = (_unbound(form) for form in spelled.signatures(self.doc(member), member.last))
        return next((forms for forms in (*written, *declared) if forms), tuple(stated))

    def _completed(self, forms: tuple[Form, ...], doc: str, name: str) -> tuple[Form, ...]:
        """Add the defaults that a stub leaves as `...` and the docstring states, or states differently."""
        stated = [parameter for form in spelled.signatures(doc, name) for parameter in form.parameters]
        known = {parameter.name for form in forms for parameter in form.parameters}
        missing = [
            replace(parameter, kind="keyword_only")
            for parameter in dict.fromkeys(stated)
            if parameter.name in UNDECLARED - known and parameter.default
        ]
        return tuple(
            replace(form, parameters=(*(_stated(p, stated) for p in form.parameters), *missing))
            for form in forms
        )

    def _is_public(self, name: str, kind: str, value: Any) -> bool:
        if kind == "class":
            return bool(value.__doc__) or name in UNDOCUMENTED or name.startswith("torch.distributed.")
        written_in_python = isinstance(value, property | staticmethod | classmethod) or inspect.isfunction(
            value
        )
        return not written_in_python or bool(inspect.getdoc(value))


def _unbound(form: Form) -> Form:
    starts = bool(form.parameters) and form.parameters[0].name == "self"
    return replace(form, parameters=form.parameters[1:]) if starts else form


def _stated(parameter: Parameter, stated: list[Parameter]) -> Parameter:
    known = {other.default for other in stated if other.name == parameter.name} - {None, "..."}
    if len(known) != 1 or parameter.default is None:
        return parameter
    default = str(*known)
    if parameter.default == "...":
        return replace(parameter, default=default)
    return (
        parameter if _value(parameter.default) == _value(default) else replace(parameter, documented=default)
    )


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
