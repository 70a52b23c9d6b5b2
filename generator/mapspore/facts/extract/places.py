"""Where a framework keeps its names: the members of a `Surface` go in; the further names that the same objects have in
other modules come out, and the list of all modules.

Only modules that are imported anyway are searched, and no module is imported for it. What is an API of its own is
decided in `surface`, what another name of one is called, a place or an alias, in the docstring of `mapspore.facts`.
"""

import pkgutil
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from mapspore.facts.extract import locate
from mapspore.facts.extract.surface import Member, Surface, identities, identity, module_members


def places(surface: Surface, members: Iterable[Member]) -> dict[str, tuple[str, ...]]:
    """By the name of an API: the full names of the same object in other public modules."""
    members = [member for member in members if member.owner is None]
    public = {member.name for member in members}
    known = identities(members)
    found: dict[str, set[str]] = {}
    for member in (other for module in surface.modules for other in module_members(surface, module)):
        if member.name not in public:
            found.setdefault(known[identity(member.value) or 0], set()).add(member.name)
    for module in _imported(surface):
        listed = frozenset(vars(module).get("__all__", ()))
        for name, value in sorted(vars(module).items()):
            qualified = f"{module.__name__}.{name}"
            home = known.get(identity(locate.behind(value, name)) or 0)
            if home is None or name.startswith("_") or qualified in public:
                continue
            if name in listed or module.__name__ in surface.former or _defined_below(module, value):
                found.setdefault(home, set()).add(qualified)
    return {name: tuple(sorted(others)) for name, others in found.items()}


def module_names(surface: Surface) -> tuple[str, ...]:
    """All public modules of the framework, imported or not."""
    package = sys.modules[surface.framework]
    imported = {module.__name__ for module in _imported(surface)} - {*surface.former}
    return tuple(sorted({*imported, *_on_disk(package.__name__, list(package.__path__))}))


def _imported(surface: Surface) -> list[ModuleType]:
    found = {
        name: module
        for name, module in sys.modules.items()
        if name.partition(".")[0] == surface.framework
        and (_is_public(name) or name in surface.former)
        and isinstance(module, ModuleType)
    }
    return [found[name] for name in sorted(found) if found[name].__name__ == name]


def _on_disk(package: str, folders: list[str]) -> Iterator[str]:
    for found in pkgutil.iter_modules(folders, f"{package}."):
        if _is_public(found.name):
            yield found.name
            if found.ispkg:
                last = found.name.rpartition(".")[2]
                yield from _on_disk(found.name, [f"{folder}/{last}" for folder in folders])


def _is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def _defined_below(module: ModuleType, value: Any) -> bool:
    """Whether an object is defined in a module, or in one below it that it imports it from."""
    home = getattr(value, "__module__", None) or ""
    return f"{home}.".startswith(f"{module.__name__}.")
