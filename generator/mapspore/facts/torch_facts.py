"""How torch declares its signatures: an imported torch and a public name go in, the name's forms come out.

Most of torch is written in C++. Its type stubs declare the builtins; the functions of `linalg`, `special` and
`fft` that no stub declares have operator schemas; what is left is in the docstring.
"""

import ast
import inspect
import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from mapspore.facts import docstring, locate, schema, spelled
from mapspore.facts.snapshot import Deprecation, Form, Parameter
from mapspore.facts.source import Declarations, declarations, opaque
from mapspore.facts.surface import Member, Surface

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


class Torch:
    """The installed torch, as a reader of facts."""

    framework = "torch"

    def __init__(self) -> None:
        import torch
        import torch.distributed
        import torch.utils.data.distributed

        self._torch = torch
        self._folder = Path(torch.__file__).parent
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
            stub, qualname = self._stub_class(base)
            for forms in (
                *(
                    locate.member_forms(base, name)
                    for name in ("__init__", "__new__")
                    if name in base.__dict__
                ),
                *(stub.forms(f"{qualname}.{name}", bound=True) for name in ("__init__", "__new__") if stub),
            ):
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
        forms = locate.function_forms(member.value)
        if forms:
            return forms[0].returns
        for base in member.owner.__mro__ if member.owner else ():
            stub, qualname = self._stub_class(base)
            if stub and (value := stub.values.get(f"{qualname}.{member.last}")):
                return stub.text.of(value)
            if stub and (forms := stub.forms(f"{qualname}.{member.last}")):
                return forms[0].returns
        return None

    def doc(self, member: Member) -> str:
        """The docstring."""
        return inspect.getdoc(member.value) or ""

    def deprecation(self, member: Member) -> Deprecation | None:
        """What docstring and decorator state; the docstring's word goes first."""
        message = getattr(member.value, "__deprecated__", None)
        stated = docstring.deprecation(self.doc(member), member.name)
        return stated or (docstring.ended(message) if message else None)

    def _function_forms(self, member: Member) -> tuple[Form, ...]:
        value = member.value
        if forms := locate.function_forms(value):
            if not any(opaque(form) for form in forms):
                return forms
            return (
                self._functional.forms(member.last)
                or spelled.signatures(self.doc(member), member.last)
                or forms
            )
        home = getattr(value, "__module__", None) or ""
        if member.name.startswith(("torch.linalg.", "torch.special.", "torch.fft.")):
            return schema.forms(value.__name__) or spelled.signatures(value.__doc__ or "", member.last)
        for stub in (
            self._functional if home == "torch._C._nn" else self._builtins,
            self._builtins,
            self._stub(home),
            self._stub("torch._C"),
            self._stub("torch._C._nn"),
        ):
            if stub and (forms := stub.forms(value.__name__)):
                return tuple(self._with_fields(form) for form in forms)
        return spelled.signatures(value.__doc__ or "", member.last)

    def _method_forms(self, member: Member) -> tuple[Form, ...]:
        assert member.owner is not None
        forms = locate.member_forms(member.owner, member.last)
        if forms:
            return forms
        for base in member.owner.__mro__:
            stub, qualname = self._stub_class(base)
            if stub and (forms := stub.forms(f"{qualname}.{member.last}", bound=True)):
                return tuple(self._with_fields(form) for form in forms)
        return tuple(_unbound(form) for form in spelled.signatures(self.doc(member), member.last))

    def _completed(self, forms: tuple[Form, ...], doc: str, name: str) -> tuple[Form, ...]:
        """Add the defaults that a stub leaves as `...` and the docstring states, or states differently."""
        stated = spelled.signatures(doc, name)
        defaults: dict[str, set[str | None]] = {}
        for form in stated:
            for parameter in form.parameters:
                defaults.setdefault(parameter.name, set()).add(parameter.default)
        return tuple(
            replace(form, parameters=tuple(_stated(p, defaults) for p in form.parameters)) for form in forms
        )

    def _with_fields(self, form: Form) -> Form:
        legacy = bool(form.parameters) and form.parameters[0] == Parameter("self", annotation="Tensor")
        tuple_name = (form.returns or "").removeprefix("torch.return_types.")
        if tuple_name == form.returns:
            return replace(form, legacy=legacy)
        stub = self._stub("torch.return_types")
        assert stub is not None
        body = stub.classes[tuple_name].body
        fields = tuple(item.name for item in body if hasattr(item, "name") and not item.name.startswith("_"))
        return replace(form, fields=fields, legacy=legacy)

    @cached_property
    def _builtins(self) -> Declarations:
        return declarations(self._folder / "_C" / "_VariableFunctions.pyi")

    @cached_property
    def _functional(self) -> Declarations:
        return declarations(self._folder / "nn" / "functional.pyi")

    def _stub(self, module: str) -> Declarations | None:
        parts = module.split(".")[1:]
        for path in (
            self._folder.joinpath(*parts).with_suffix(".pyi"),
            self._folder.joinpath(*parts, "__init__.pyi"),
        ):
            if parts and path.is_file():
                return declarations(path)
        return None

    def _stub_class(self, cls: type) -> tuple[Declarations | None, str]:
        for module in (cls.__module__, "torch._C", "torch._C._distributed_c10d"):
            stub = self._stub(module)
            if stub and cls.__qualname__ in stub.classes:
                return stub, cls.__qualname__
        return None, cls.__qualname__

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


def _stated(parameter: Parameter, defaults: dict[str, set[str | None]]) -> Parameter:
    known = {default for default in defaults.get(parameter.name, ()) if default is not None}
    if len(known) != 1 or parameter.default is None:
        return parameter
    (default,) = known
    if default == "...":
        return parameter
    if parameter.default == "...":
        return replace(parameter, default=default)
    return parameter if _same(parameter.default, default) else replace(parameter, documented=default)


def _same(left: str, right: str) -> bool:
    return _value(left) == _value(right)


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
