"""The public surface of a framework: an imported package goes in, its public names with their objects come
out.

A `Surface` says where to look and what counts; the rule is in the docstring of `mapspore.facts`. Signatures are
left to others.
"""

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from mapspore.facts.extract import locate

# A class defines these for the framework to call; what a user calls is in the API's `forms` and `call`.
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


@dataclass(frozen=True, slots=True)
class Surface:
    """Where a framework's public names are; the scopes in the order of preference as a home."""

    framework: str
    scopes: tuple[str, ...]
    constants: tuple[type, ...]
    """Types whose public module-level instances are APIs even if no `__all__` lists them."""
    callables: tuple[type, ...]
    """Types whose instances are used like functions."""
    listed_by: dict[str, str]
    """A scope whose public names another module lists in its `__all__`."""
    added: frozenset[str]
    """Names that are public although nothing says so."""
    left_out: frozenset[str]
    """Names that are importable but not meant for users, or that depend on how the package was built."""
    loose: frozenset[str]
    """Scopes whose names are public wherever in the framework they are defined."""
    without_members: tuple[type, ...]
    """Classes whose members, and those of their subclasses, are for the framework's own use."""
    virtual_bases: dict[type, tuple[type, ...]]
    """Public base classes that a class has in its documentation but not in its resolution order."""
    is_public: Callable[[str, str, Any], bool]
    """The framework's own last word on a candidate: qualified name, kind and object."""


@dataclass(frozen=True, slots=True)
class Member:
    """A public name and the object behind it; for a member of a class, `owner` is that class."""

    name: str
    kind: str
    value: Any
    owner: type | None = None
    overrides: str | None = None
    """The member of a public base class that this one redefines."""

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]


def members(surface: Surface) -> list[Member]:
    """All public functions, classes and constants of the scopes."""
    return [member for scope in surface.scopes for member in _scope_members(surface, scope)]


def public_bases(surface: Surface, cls: type, public: dict[type, str]) -> list[type]:
    """The base classes of a class that are public themselves, nearest first."""
    return [base for base in (*cls.__mro__[1:], *surface.virtual_bases.get(cls, ())) if base in public]


def class_members(surface: Surface, member: Member, public: dict[type, str]) -> Iterator[Member]:
    """The methods, properties and constants that a class adds to its public bases or redefines."""
    cls: type = member.value
    if issubclass(cls, surface.without_members):
        return
    inherited = public_bases(surface, cls, public)
    for name in sorted(dir(cls)):
        qualified = f"{member.name}.{name}"
        if name.startswith("_") or name in CALLED_BY_THE_FRAMEWORK:
            continue
        owner = next((base for base in cls.__mro__ if name in base.__dict__), None)
        if owner is None or not _inside(owner, surface.framework):
            continue
        overridden = next((base for base in inherited if hasattr(base, name)), None)
        if overridden and (name not in cls.__dict__ or overridden not in cls.__mro__):
            continue
        value = owner.__dict__[name]
        kind = _member_kind(name, value)
        if kind and surface.is_public(qualified, kind, value):
            yield Member(qualified, kind, value, cls, f"{public[overridden]}.{name}" if overridden else None)
    for name, value in sorted(vars(type(cls)).items()):
        # Such as `torch.distributed.group.WORLD`: computed by the class of the class.
        if isinstance(value, property) and not name.startswith("_") and _inside(type(cls), surface.framework):
            yield Member(f"{member.name}.{name}", "property", value, cls)


def _scope_members(surface: Surface, scope: str) -> Iterator[Member]:
    module = importlib.import_module(scope)
    listed = getattr(importlib.import_module(surface.listed_by.get(scope, scope)), "__all__", ())
    for name in sorted({*dir(module), *listed}):
        qualified = f"{scope}.{name}"
        if name.startswith("_") or qualified in surface.left_out or not hasattr(module, name):
            continue
        value = locate.behind(getattr(module, name), name)
        kind = _kind(surface, value, name in listed)
        if kind is None or not (name in listed or qualified in surface.added or _belongs(surface, module, value, kind)):
            continue
        if qualified in surface.added or surface.is_public(qualified, kind, value):
            yield Member(qualified, kind, value)


def _kind(surface: Surface, value: Any, listed: bool) -> str | None:
    if isinstance(value, ModuleType):
        return None
    if isinstance(value, type):
        return "class" if _inside(value, surface.framework) else None
    if inspect.isroutine(value) or hasattr(value, "__wrapped__") or isinstance(value, surface.callables):
        return "function"
    return "constant" if listed or isinstance(value, surface.constants) else None


def _belongs(surface: Surface, module: ModuleType, value: Any, kind: str) -> bool:
    """Whether a name that no `__all__` lists is at home in this scope."""
    if kind == "constant":
        return module.__name__ == surface.framework
    home = getattr(value, "__module__", None) or ""
    if module.__name__ in surface.loose or inspect.isbuiltin(value):
        return home.partition(".")[0] == surface.framework
    if hasattr(module, "__all__"):
        return False
    return home == module.__name__ or home.startswith(f"{module.__name__}.")


def _inside(cls: type, framework: str) -> bool:
    return (cls.__module__ or "").partition(".")[0] in (framework, "")


def _member_kind(name: str, value: Any) -> str | None:
    if isinstance(value, property) or inspect.isgetsetdescriptor(value) or inspect.ismemberdescriptor(value):
        return "property"
    if isinstance(value, staticmethod | classmethod) or inspect.isroutine(value):
        return "method"
    return "constant" if name.isupper() and not isinstance(value, type) else None
