"""The members of a framework's public classes: a class goes in; its bases, its methods, properties and constants, and
what Python's syntax can do with its instances come out.

Signatures are left to others, and so is which classes are public.
"""

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

from mapspore.facts.extract import locate
from mapspore.facts.extract.surface import Member, Surface, inside

# A layer defines these for the framework to call; what a user calls is in the API's `forms` and `call`.
CALLED_BY_THE_FRAMEWORK = frozenset(
    (
        "forward",
        "construct",
        "bprop",
        "extra_repr",
        "extend_repr",
        "reset_parameters",
        "infer_shape",
        "infer_dtype",
    )
)


PROTOCOL = ("call", "enter", "getitem", "iter", "len")


def public_bases(surface: Surface, cls: type, public: dict[type, str]) -> list[type]:
    """The base classes of a class that are public themselves, nearest first."""
    return [base for base in (*cls.__mro__[1:], *surface.virtual_bases.get(cls, ())) if base in public]


def class_members(surface: Surface, member: Member, public: dict[type, str]) -> Iterator[Member]:
    """The methods, properties and constants that a class adds to its public bases or redefines."""
    cls: type = member.value
    if issubclass(cls, surface.without_members):
        return
    inherited = public_bases(surface, cls, public)
    yielded = set(CALLED_BY_THE_FRAMEWORK if issubclass(cls, surface.layers) and cls not in surface.layers else ())
    for name in sorted(dir(cls)):
        qualified = f"{member.name}.{name}"
        if name.startswith("_") or name in yielded:
            continue
        owner = next((base for base in cls.__mro__ if name in base.__dict__), None)
        if owner is None or not inside(owner, surface.framework):
            continue
        overridden = next((base for base in inherited if hasattr(base, name)), None)
        if overridden and (name not in cls.__dict__ or overridden not in cls.__mro__):
            continue
        value = owner.__dict__[name]
        kind = _member_kind(name, value)
        if kind and surface.is_public(qualified, kind, value):
            yielded.add(name)
            yield Member(qualified, kind, value, cls, f"{public[overridden]}.{name}" if overridden else None)
    for name, annotation in sorted(_attributes(cls, inherited).items()):
        if name not in yielded:
            yield Member(f"{member.name}.{name}", "property", None, cls, annotation=annotation)
    for name, value in sorted(vars(type(cls)).items()):
        # Such as `torch.distributed.group.WORLD`: computed by the class of the class.
        if isinstance(value, property) and not name.startswith("_") and inside(type(cls), surface.framework):
            yield Member(f"{member.name}.{name}", "property", value, cls)


def protocol(value: Any) -> tuple[str, ...]:
    """What Python's syntax can do with an instance of a class: the special methods it has, of those in `PROTOCOL`; with
    what a function returns, if `contextmanager` made it, enter."""
    if isinstance(value, type):
        return tuple(name for name in PROTOCOL if _special(value, f"__{name}__"))
    code = getattr(value, "__code__", None)
    return ("enter",) if code is not None and code.co_filename == contextlib.__file__ else ()


def _special(cls: type, name: str) -> bool:
    # Every class can be called to make an instance: `hasattr` would find its metaclass's `__call__`.
    return next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), None) is not None


def _attributes(cls: type, inherited: list[type]) -> dict[str, str]:
    """The attributes that a class or a base of it that is not public declares, with their annotations."""
    found: dict[str, str] = {}
    bases = [base for base in inherited if base in cls.__mro__]
    for base in cls.__mro__[: cls.__mro__.index(bases[0]) if bases else None]:
        source = locate.class_declarations(base)
        for name, annotation in (source.attributes.get(base.__qualname__, {}) if source else {}).items():
            found.setdefault(name, annotation)
    for base in bases:
        found = {name: annotation for name, annotation in found.items() if name not in _attributes(base, [])}
    return found


def _member_kind(name: str, value: Any) -> str | None:
    if isinstance(value, property) or inspect.isgetsetdescriptor(value) or inspect.ismemberdescriptor(value):
        return "property"
    if isinstance(value, staticmethod | classmethod) or inspect.isroutine(value):
        return "method"
    if isinstance(value, type):
        return "class" if value.__qualname__.endswith(f".{name}") else None
    return "constant" if name.isupper() else None
