"""What a package offers without importing it before it is asked for: subpackages, and at the top everything, so that a
launcher or a subpackage starts without the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_attributes(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: a name to what its home module has under it (or under another name, after a
    colon), or to the module of that name."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}: it holds what the registry has an entry for; call "
                "MindSpore itself for the rest."
            )
        home, _, called = homes[name].partition(":")
        module = import_module(home)
        value = module if home == f"{package}.{name}" else getattr(module, called or name)
        setattr(sys.modules[package], name, value)
        return value

    return find


if sys.modules.get("mindspore"):  # so that whatever is set in MindSpore from here on stays as it is set
    import_module("torchspore._runtime.core.modes")
