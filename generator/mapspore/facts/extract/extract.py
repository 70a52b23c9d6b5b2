"""Extraction: the name of an installed framework goes in, the text of its snapshot comes out.

What is public is decided in `surface`, signatures are read by `torch_facts` and `mindspore_facts`, docstrings
by `docstring`; here they are put together and names of one object are given their home.
"""

import importlib.metadata
import importlib.util
import os
import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from mapspore.base.diagnostics import Refusal
from mapspore.facts import snapshot
from mapspore.facts.extract import docstring, docstring_signatures
from mapspore.facts.extract.aliases import with_homes
from mapspore.facts.extract.classes import class_members, protocol, public_bases
from mapspore.facts.extract.places import module_names, places
from mapspore.facts.extract.surface import Member, Surface, members, module_named
from mapspore.facts.snapshot import Api, Deprecation, Note, Signature

# From which version on, and below which one, the packages are laid out as the readers expect.
SUPPORTED = {"torch": ((2, 7), (3, 0)), "mindspore": ((2, 7), (3, 0))}


class Reader(Protocol):
    """An installed framework that can tell the signatures of its public names."""

    version: str
    surface: Surface

    def forms(self, member: Member) -> tuple[Signature, ...]: ...
    def constructor(self, cls: type) -> tuple[Signature, ...]: ...
    def call(self, cls: type) -> tuple[Signature, ...]: ...
    def value_type(self, member: Member) -> str | None: ...
    def doc(self, member: Member) -> str: ...
    def deprecation(self, member: Member) -> Deprecation | None: ...
    def notes(self, member: Member) -> tuple[Note, ...]: ...


def extract(framework: str, progress: Callable[[str], None] | None = None) -> str:
    """The snapshot's text of the installed package; `progress` is told what is being read."""
    tell = progress or (lambda message: None)
    with warnings.catch_warnings():
        # Looking at a deprecated name makes torch warn about it.
        warnings.simplefilter("ignore")
        tell(framework)
        reader = _reader(framework)
        tell(f"{framework} {reader.version}")
        found = _public(reader.surface)
        classes = {m.value: m.name for m in reversed(found) if m.kind == "class"}
        docs = {member.name: "" if member.annotation else reader.doc(member) for member in found}
        pairs = [(member, _api(reader, member, docs[member.name], classes)) for member in found]
        apis = with_homes(_changed(pairs), docs, reader.surface.scopes)
        elsewhere = places(reader.surface, found)
        apis = [replace(api, places=elsewhere.get(api.name, ())) for api in apis]
        covered = {name for name in (*reader.surface.scopes, *reader.surface.modules) if module_named(name)}
        modules = {name: name in covered for name in {*covered, *module_names(reader.surface)}}
        return snapshot.dump(framework, reader.version, apis, modules)


def _public(surface: Surface) -> list[Member]:
    found = members(surface)
    classes = {member.value: member.name for member in reversed(found) if member.kind == "class"}
    firsts = [member for member in found if member.kind == "class" and classes[member.value] == member.name]
    return [*found, *(inner for member in firsts for inner in class_members(surface, member, classes))]


def _reader(framework: str) -> Reader:
    if framework not in SUPPORTED:
        raise Refusal("C307", "unknown", framework=framework)
    if importlib.util.find_spec(framework) is None:
        raise Refusal("C308", hint="extract", framework=framework)
    least, below = SUPPORTED[framework]
    version = importlib.metadata.version(framework)
    if not least <= _numbers(version) < below:
        span = [".".join(map(str, bound)) for bound in (least, below)]
        raise Refusal("C307", "version", framework=framework, version=version, least=span[0], below=span[1])
    if framework == "torch":
        from mapspore.facts.extract.torch_facts import Torch

        return Torch()
    # MindSpore logs through this; its warnings about the machine are no concern of an extraction.
    os.environ.setdefault("GLOG_v", "3")
    from mapspore.facts.extract.mindspore_facts import MindSpore

    return MindSpore()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version.partition("+")[0])[:2])


def _api(reader: Reader, member: Member, doc: str, classes: dict[type, str]) -> Api:
    if member.annotation is not None:
        return Api(member.name, member.kind, returns=member.annotation)
    if member.kind == "constant":
        # What is None here may be something else in another build.
        return Api(member.name, member.kind, returns=None if member.value is None else type(member.value).__name__)
    platforms = docstring.platforms(doc)
    api = Api(
        name=member.name,
        kind=member.kind,
        see=docstring.pointer(doc),
        returns_doc=docstring.returned(doc) or _spelled_return(doc, member),
        protocol=protocol(member.value),
        deprecated=reader.deprecation(member),
        platforms=() if docstring.is_ended(platforms) else platforms,
        notes=reader.notes(member),
    )
    if member.kind == "class":
        bases = tuple(classes[base] for base in public_bases(reader.surface, member.value, classes))
        return replace(api, bases=bases, forms=reader.constructor(member.value), call=reader.call(member.value))
    if member.kind == "property":
        return replace(api, returns=reader.value_type(member))
    return _with_fields(replace(api, forms=reader.forms(member)))


def _changed(pairs: list[tuple[Member, Api]]) -> list[tuple[Member, Api]]:
    """Without the methods that a subclass redefines and that are called as before."""
    calls = {api.name: _calls(api) for _, api in pairs}

    def as_before(member: Member, api: Api) -> bool:
        return member.overrides is not None and _calls(api) <= calls.get(member.overrides, set())

    return [(member, api) for member, api in pairs if not as_before(member, api)]


def _calls(api: Api) -> set[tuple[tuple[str, str, str | None], ...]]:
    return {tuple((p.name, p.kind, p.default) for p in form.parameters) for form in api.forms}


def _spelled_return(doc: str, member: Member) -> str | None:
    """What the docstring's own signatures return, where no section says it."""
    stated = (form.returns for form in docstring_signatures.signatures(doc, member.last))
    return "; ".join(dict.fromkeys(text for text in stated if text)) or None


def _with_fields(api: Api) -> Api:
    """Name the returned tuple's fields on the API, and on the forms only if not every form returns it."""
    tuples = list(dict.fromkeys(form.fields for form in api.forms if form.fields))
    if len(tuples) != 1:
        return api
    if all(form.fields for form in api.forms):
        api = replace(api, forms=tuple(replace(form, fields=()) for form in api.forms))
    return replace(api, fields=tuples[0])
