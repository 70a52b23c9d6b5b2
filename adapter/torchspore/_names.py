"""What torch has, by name. In: a name of torch that the adapter was asked for in vain. Out: whether torch has it, as far
as the facts know, and the sentence that says why it is not here. The list beside this module, `_names.txt`, is generated
from the facts and read when somebody asks.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

OWN = "torchspore"
ORIGINAL = "torch"


class Known(NamedTuple):
    """What the facts know of torch."""

    version: str
    names: dict[str, frozenset[str]]
    """By module: the public names in it."""
    others: frozenset[str]
    """Public modules whose names the facts do not hold."""


@cache
def known() -> Known:
    """The list, read once: its version, a line per module with the names in it, and a last one of the other modules."""
    first, version, *lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    assert first.startswith("#")
    names = {module: frozenset(held.split()) for module, _, held in (line.partition(":") for line in lines)}
    others = names.pop("", frozenset())
    return Known(version, names, others)


def original(name: str) -> str:
    """What torch calls something of the adapter."""
    package, dot, rest = name.partition(".")
    return (ORIGINAL if package == OWN else package) + dot + rest


def is_module(name: str) -> bool:
    """Whether torch has a module of a name, which is torch's or the adapter's."""
    return original(name) in known().names or original(name) in known().others


def sentence(package: str, name: str) -> str:
    """Why a package of the adapter has no such name."""
    module = original(package)
    full, found = f"{module}.{name}", known()
    if any(part.startswith("_") and not part.endswith("__") for part in full.split(".")):
        return f"{full}: the registry has no entry for private names of torch; use its public ones."
    if name in found.names.get(module, ()):
        return f"{full}: torch has it, but the registry has no entry for it yet, so nothing stands for it on MindSpore."
    if module in found.others:
        return f"{full}: the registry has no entry for it, and its facts do not tell what {module} holds."
    return f"module {module!r} has no attribute {name!r}"
