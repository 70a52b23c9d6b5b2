"""What a package offers without importing it before it is asked for: subpackages, and at the top everything, so that a
launcher or a subpackage starts without the rest. Of a name that is not there, the package says why.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def lazy_attributes(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: a name to what its home module has under it (or under another name, after a
    colon), or to the module of that name."""

    def find(name: str) -> Any:
        if name not in homes:
            return without_entry(package, name)
        home, _, called = homes[name].partition(":")
        module = import_module(home)
        value = module if home == f"{package}.{name}" else getattr(module, called or name)
        setattr(sys.modules[package], name, value)
        return value

    return find


def without_entry(package: str, name: str) -> ModuleType:
    """What stands for a name that no entry answers for: a module if it is one of torch's, whose names are refused one
    by one; otherwise the refusal, which says whether torch has it."""
    told = None
    if not name.startswith("__") and "._" not in package:
        names = import_module("torchspore._names")
        if names.is_module(f"{package}.{name}"):
            return module_of(f"{package}.{name}")
        told = names.sentence(names.original(package), name)
    raise AttributeError(told or f"module {package!r} has no attribute {name!r}")


def module_of(full: str) -> ModuleType:
    """The adapter's module for one of torch's, which may hold nothing yet."""
    if full not in sys.modules:
        module = ModuleType(full, f"torch{full.removeprefix('torchspore')}: the registry has no entry in it.")
        module.__path__ = []
        module.__dict__["__getattr__"] = lazy_attributes(full, {})
        sys.modules[full] = module
        package, _, last = full.rpartition(".")
        setattr(sys.modules[package], last, module)
    return sys.modules[full]


if sys.modules.get("mindspore"):  # so that whatever is set in MindSpore from here on stays as it is set
    import_module("torchspore._runtime.core.modes")
