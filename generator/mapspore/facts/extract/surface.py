"""The public surface of a framework: an imported package goes in, its public names with their objects come
out.

A `Surface` says where to look and what counts; the rule is in the docstring of `mapspore.facts`. The members of classes
are left to `classes`, the modules where a public name can be found as well to `places`, signatures to others.
"""

import importlib
import inspect
import logging
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from mapspore.facts.extract import locate


@dataclass(frozen=True, slots=True)
class Surface:
    """Where a framework's public names are; the scopes in the order of preference as a home."""

    framework: str
    scopes: tuple[str, ...]
    modules: tuple[str, ...]
    """Further modules with names of their own; a name in one of them for an object that a scope or an earlier module
    has too is not an API of its own but a place of that API."""
    former: tuple[str, ...]
    """Modules that still have public names which were there before they moved."""
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
    layers: tuple[type, ...]
    """Classes whose subclasses define what calling them does."""
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
    annotation: str | None = None
    """The type of an attribute that a class declares without a value; such a member has no object."""

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]


def members(surface: Surface) -> list[Member]:
    """All public functions, classes and constants of the scopes and of the further modules."""
    found = [member for scope in surface.scopes for member in module_members(surface, scope)]
    known = identities(found)
    for module in surface.modules:
        own = [member for member in module_members(surface, module) if identity(member.value) not in known]
        known |= identities(own)
        found += own
    return found


def identities(members: Iterable[Member]) -> dict[int, str]:
    """By the identity of an object: its first public name."""
    named: dict[int, str] = {}
    for member in members:
        if (found := identity(member.value)) is not None:
            named.setdefault(found, member.name)
    return named


def identity(value: Any) -> int | None:
    """What tells an object from others; None for equal numbers and texts, which are one object by chance."""
    return None if isinstance(value, float | int | str | tuple | None) else id(value)


def module_members(surface: Surface, scope: str) -> Iterator[Member]:
    """The public functions, classes and constants of one module."""
    module = module_named(scope)
    if module is None:
        return
    listed = getattr(module_named(surface.listed_by.get(scope, scope)), "__all__", ())
    further = scope in surface.modules
    for name in sorted({*_names(module), *listed}):
        qualified = f"{scope}.{name}"
        if qualified in surface.added and hasattr(module, name):
            value = locate.behind(getattr(module, name), name)
            yield Member(qualified, _kind(surface, value, listed=True) or "constant", value)
        if name.startswith("_") or qualified in surface.left_out | surface.added or not hasattr(module, name):
            continue
        value = locate.behind(getattr(module, name), name)
        kind = _kind(surface, value, name in listed, further)
        if kind is None and further and _is_setting(module, name, value):
            yield Member(qualified, "constant", value)
        if kind is None or not (name in listed or _belongs(surface, module, value, kind)):
            continue
        if (further and name in listed) or surface.is_public(qualified, kind, value):
            yield Member(qualified, kind, value)


def module_named(name: str) -> ModuleType | None:
    """A module by the name that people use, which may be an attribute of its package; None where a version lacks it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        package, _, last = name.rpartition(".")
        found = getattr(module_named(package), last, None) if package else None
        return found if isinstance(found, ModuleType) else None


def _names(module: ModuleType) -> set[str]:
    """The names in a module; some of torch's stand in for the real one, `m`, and compute settings in their class."""
    real = vars(module).get("m", module) if type(module) is not ModuleType else module
    return {*dir(module), *dir(real), *(vars(type(module)) if real is not module else ())}


def _is_setting(module: ModuleType, name: str, value: Any) -> bool:
    """Whether a module assigns this name, in capitals if it lists others as public, or its class computes it."""
    if isinstance(value, ModuleType | type | typing.TypeVar | typing.ParamSpec | logging.Logger) or callable(value):
        return False
    if name in vars(type(module)):
        return True
    source = locate.module_declarations(vars(module).get("m", module))
    return source is not None and name in source.values and (name.isupper() or not hasattr(module, "__all__"))


def _kind(surface: Surface, value: Any, listed: bool, further: bool = False) -> str | None:
    if isinstance(value, ModuleType):
        return None
    if isinstance(value, type):
        return "class" if inside(value, surface.framework) or (further and listed) else None
    # Some objects, such as `torch.backends.cuda.cufft_plan_cache`, answer for any name by asking a device.
    wraps = inspect.getattr_static(value, "__wrapped__", None) is not None
    if inspect.isroutine(value) or wraps or isinstance(value, surface.callables):
        return "function"
    return "constant" if listed or isinstance(value, surface.constants) else None


def _belongs(surface: Surface, module: ModuleType, value: Any, kind: str) -> bool:
    """Whether a name that no `__all__` lists is at home in this scope."""
    if kind == "constant":
        return module.__name__ == surface.framework
    home = getattr(value, "__module__", None) or ""
    if module.__name__ in surface.loose or inspect.isbuiltin(value):
        return home.partition(".")[0] == surface.framework
    if hasattr(module, "__all__") and module.__name__ not in surface.modules:
        return False
    return home == module.__name__ or home.startswith(f"{module.__name__}.")


def inside(cls: type, framework: str) -> bool:
    """Whether a class is the framework's own."""
    return (getattr(cls, "__module__", None) or "").partition(".")[0] in (framework, "")
