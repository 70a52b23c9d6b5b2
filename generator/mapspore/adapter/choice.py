"""How a generated function finds the target that it calls. In: the targets of an API, and the tensor that it is given.
Out: what the tensor is asked for, as Python: its class, its dtype, or the size of an element, which is told faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import get_args

from mapspore.resolve.registry import Mapping
from mapspore.words.dtypes import Dtype

SIZE, DTYPE = "_itemsize", "_dtype"


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """The choice of a target: its key in a table of the `Api`, and the tensor that decides where the key is new."""

    key: str
    tensor: str
    table: str


def choice(mapping: Mapping, tensor: str | None) -> ChoiceView:
    """The choice by the tensor in a variable of this name, if there is one: by its class, and by its dtype where the
    targets differ by dtype."""
    if tensor is None:
        return ChoiceView("None", "None", "known")
    if not any(c.target.dtypes for c in mapping.counterparts):
        return ChoiceView(f"type({tensor})", tensor, "known")
    if _sized(mapping):
        return ChoiceView(f"{tensor}.{SIZE}", tensor, "sized")
    return ChoiceView(f"id({tensor}.{DTYPE})", tensor, "known")


def _sized(mapping: Mapping) -> bool:
    """Whether every target takes all dtypes of some size."""
    taken = [set(c.target.dtypes) for c in mapping.counterparts]
    return any(all(dtypes.issuperset(each) for dtypes in taken) for each in _BY_SIZE)


def _size(dtype: str) -> int:
    """The bits of an element, with which a dtype's name ends; a truth value has a byte."""
    return int("".join(filter(str.isdigit, dtype)) or 8)


_BY_SIZE = [set(alike) for _, alike in groupby(sorted(get_args(Dtype), key=_size), _size)]
