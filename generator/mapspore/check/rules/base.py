"""What a rule is: a stable code, where it belongs, and a function that finds its problems.

The sentence, the hint and the explanation of each code are in `templates/text/rules.yaml`, in both
languages; a rule only says where a problem is and what fills the sentence.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from mapspore.base.diagnostics import Diagnostic, Place
from mapspore.facts.snapshot import Api
from mapspore.resolve.registry import Mapping, Registry

Problems = Iterator[Diagnostic]
Values = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One code. `check` is None for a code that an earlier stage, or the function of another rule, reports."""

    code: str
    stage: Literal["load", "parse", "entry", "registry"]
    check: Callable[[Mapping, Registry], Problems] | None = None
    fixable: bool = False
    """Whether `mapspore fix` repairs it."""
    works_on_partial_entry: bool = False
    """Whether it judges a part of an entry by itself, so that it holds even where the rest cannot be read."""
    allowable: bool = False
    """Whether an entry may except itself from it with `allow`."""


def problem(code: str, place: Place, variant: str = "", **values: str) -> Diagnostic:
    """A diagnostic with its values by name."""
    return Diagnostic(code, place, tuple(values.items()), variant)


def alike(torch: Api, mindspore: Api) -> bool:
    """Whether one API can stand for another: a class is made before it is called, a property and a constant are not
    called. A function takes the tensor whose method it replaces, but the method of which tensor replaces a function?"""
    return torch.kind == mindspore.kind or (torch.kind, mindspore.kind) == ("method", "function")


def nearest(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names most like `name`: the same last part first, then its neighbours, then by spelling."""
    names = list(known)
    module, _, last = name.rpartition(".")
    siblings: dict[str, str] = {}
    ends: dict[str, str] = {}
    for other in names:
        owner, _, end = other.rpartition(".")
        ends.setdefault(end, other)
        if owner == module:
            siblings[end] = other
    found = [other for other in names if other.rpartition(".")[2] == last and other != name]
    found += [siblings[end] for end in difflib.get_close_matches(last, siblings, n=count, cutoff=0.65)]
    if len(found) < count:
        found += [ends[end] for end in difflib.get_close_matches(last, ends, n=count, cutoff=0.75)]
    return list(dict.fromkeys(found or difflib.get_close_matches(name, names, n=count, cutoff=0.75)))[:count]


def listed(names: Iterable[str]) -> str:
    """Names as a sentence shows them."""
    return ", ".join(f"`{name}`" for name in names)
