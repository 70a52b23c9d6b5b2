"""What torch has, by name. In: a name of torch that the adapter was asked for in vain. Out: whether torch has it, as
far as the facts know, and the sentence that says why it is not here. The list beside this module, `_names.txt`, is
generated from the facts and read when somebody asks.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

OWN = "torchspore"
ORIGINAL = "torch"
MEMBERS, OTHERS = "members of torch.Tensor", "other modules"
"""How two lines of the list begin."""


class Known(NamedTuple):
    """What the facts know of torch."""

    version: str
    names: dict[str, frozenset[str]]
    """By module: the public names in it."""
    members: frozenset[str]
    """The public members of a tensor."""
    others: frozenset[str]
    """Public modules whose names the facts do not hold."""


@cache
def known() -> Known:
    """The list, read once: its version, then a line per module, one for tensors and one for the other modules."""
    first, version, *lines = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
    assert first.startswith("#")
    names = {key: frozenset(held.split()) for key, _, held in (line.partition(":") for line in lines)}
    return Known(version, names, names.pop(MEMBERS), names.pop(OTHERS))


def original(name: str) -> str:
    """What torch calls something of the adapter."""
    package, dot, rest = name.partition(".")
    return (ORIGINAL if package == OWN else package) + dot + rest


def is_module(name: str) -> bool:
    """Whether torch has a module of a name, which is torch's or the adapter's."""
    return original(name) in known().names or original(name) in known().others


def sentence(module: str, name: str) -> str | None:
    """Why a module of torch has no such name here; None if torch has none either."""
    full, found = f"{module}.{name}", known()
    if any(part.startswith("_") and not part.endswith("__") for part in full.split(".")):
        return f"{full}: the registry has no entries for private names of torch; use its public ones."
    if name in found.names.get(module, ()):
        return _without_entry(full)
    if module in found.others:
        return f"{full}: the registry has no entry for it, and its facts do not tell what {module} holds."
    return None


def member_sentence(name: str) -> str | None:
    """The same of a member of tensors."""
    return _without_entry(f"torch.Tensor.{name}") if name in known().members else None


def _without_entry(full: str) -> str:
    return f"{full}: torch has it, but the registry has no entry for it yet, so nothing stands for it on MindSpore."
