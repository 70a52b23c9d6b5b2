"""How MindSpore declares its signatures: an imported MindSpore and a public name go in, the name's forms come
out.

Functions and classes are read from their source, also behind decorators that hide the arguments. Overloads
that are dispatched in C++ take `(*args, **kwargs)` or have no source at all; their docstrings spell each of
them out.
"""

import ast
import inspect
import sys
from typing import Any

from mapspore.facts.extract import docstring, docstring_notes, docstring_signatures, locate
from mapspore.facts.extract.mindspore_names import ADDED, LEFT_OUT, MODULES, SCOPES
from mapspore.facts.extract.source import decorator, opaque
from mapspore.facts.extract.surface import Member, Surface
from mapspore.facts.snapshot import Deprecation, Note, Signature


class MindSpore:
    """The installed MindSpore, as a reader of facts."""

    framework = "mindspore"

    def __init__(self) -> None:
        import mindspore
        import mindspore.communication.comm_func
        import mindspore.dataset
        import mindspore.experimental.optim
        import mindspore.mint.distributed
        import mindspore.parallel.distributed

        self._mindspore = mindspore
        self.version = str(mindspore.__version__)
        self._any_call = locate.member_forms(mindspore.ops.Primitive, "__call__")
        self.surface = Surface(
            framework="mindspore",
            scopes=SCOPES,
            modules=MODULES,
            former=(),
            constants=(mindspore.dtype.Type,),
            callables=(mindspore.ops.Primitive,),
            listed_by={},
            added=ADDED,
            left_out=LEFT_OUT,
            loose=frozenset({"mindspore", *(scope for scope in SCOPES if scope.startswith("mindspore.mint"))}),
            layers=(mindspore.nn.Cell, mindspore.ops.Primitive),
            without_members=(mindspore.ops.Primitive,),
            virtual_bases={mindspore.Parameter: (mindspore.Tensor,)},
            is_public=self._is_public,
        )

    def forms(self, member: Member) -> tuple[Signature, ...]:
        """The forms of a function or method."""
        if isinstance(member.value, self.surface.callables):
            return self.call(type(member.value))
        if member.owner is not None:
            forms = locate.member_forms(member.owner, member.last)
        else:
            forms = locate.function_forms(member.value)
        return self._with_documented(forms, self.doc(member), member.last)

    def constructor(self, cls: type) -> tuple[Signature, ...]:
        """The forms of creating an instance."""
        for base in cls.__mro__:
            for name in ("__init__", "__new__"):
                if name in base.__dict__ and (forms := locate.member_forms(base, name)):
                    return self._with_documented(forms, docstring.of(cls), cls.__name__)
        if locate.takes_nothing(cls):
            return (Signature(),)
        return self._with_documented((), docstring.of(cls), cls.__name__)

    def _with_documented(self, forms: tuple[Signature, ...], doc: str, name: str) -> tuple[Signature, ...]:
        """The forms of the source; where that hides the parameters, those of the docstring."""
        if forms and not any(opaque(form) for form in forms):
            return forms
        described = docstring_signatures.arguments(doc)
        if described and forms and {p.name for p in described.parameters} <= {"args", "kwargs"}:
            described = None
        return docstring_signatures.signatures(doc, name) or ((described,) if described else forms)

    def call(self, cls: type) -> tuple[Signature, ...]:
        """The forms of calling an instance."""
        nn = self._mindspore.nn
        if issubclass(cls, nn.Cell):
            return () if cls is nn.Cell else locate.member_forms(cls, "construct")
        forms = locate.member_forms(cls, "__call__")
        if forms == self._any_call and (described := docstring_signatures.inputs(docstring.of(cls))):
            return (described,)
        return forms

    def value_type(self, member: Member) -> str | None:
        """The annotation of a property."""
        forms = locate.function_forms(member.value)
        return forms[0].returns if forms else None

    def doc(self, member: Member) -> str:
        """The docstring."""
        return docstring.of(member.value)

    def deprecation(self, member: Member) -> Deprecation | None:
        """What docstring and decorator state; the docstring's word goes first."""
        stated = docstring.deprecation(self.doc(member), member.name)
        node = locate.declared_node(member.value)
        call = decorator(node, "deprecated") if node else None
        if call is None:
            return stated
        since, substitute = (ast.literal_eval(argument) for argument in call.args[:2])
        stated = stated or Deprecation()
        return Deprecation(stated.since or since, stated.replacement or substitute or None, stated.removal)

    def notes(self, member: Member) -> tuple[Note, ...]:
        """What the docstring warns of."""
        return docstring_notes.notes(self.doc(member), member.name)

    def _is_public(self, name: str, kind: str, value: Any) -> bool:
        if kind == "constant":
            return isinstance(value, (int, str, *self.surface.constants))
        if isinstance(value, self.surface.callables):
            return False
        doc = docstring.of(value)
        if inspect.ismethoddescriptor(value) or inspect.isgetsetdescriptor(value) or isinstance(value, staticmethod):
            # What only the framework's own code calls has one line at most, or sections in another style.
            return len(doc.strip().splitlines()) > 1 and "Arg:" not in doc
        scope, _, last = name.rpartition(".")
        if last.endswith(("Ext", "_ext")):
            # What mint publishes under a shorter name.
            return False
        listed = getattr(sys.modules.get(scope), "__all__", None)
        if listed is None or last in listed:
            return bool(doc)
        return "Supported Platforms:" in doc or docstring.alias(doc) is not None
