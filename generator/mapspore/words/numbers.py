"""The words that convert plain values: numbers, choices, items. In: nothing. Out: `WORDS`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from mapspore.words.types import ByDefault, ByItems, ByMerging, BySignature, Rewrite, Word


def _named_choice(default: str) -> Mapping[str, Any] | None:
    """The options of `given_or`, if MindSpore's default is the name of a choice, such as `'mean'`."""
    try:
        value = ast.literal_eval(default)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return {"value": value} if isinstance(value, str) and value.isidentifier() else None


WORDS = (
    Word(
        "complement", "argument", "value", pure=True,
        scan=("replaced",),
        rewrite=Rewrite("always", "1 - {value}"),
    ),
    Word(
        "item", "argument", "value", {"index": int}, pure=True,
        scan=("replaced",),
        rewrite=Rewrite("simple", "{value}[{index}]"),
        draft=ByItems("index"),
    ),
    Word(
        "correction_to_number", "argument", "value", formerly="degrees", pure=True, merges=True, bool_only=True,
        draft=ByMerging(("unbiased", "correction"), ("correction", "ddof"), then=("whole_number",)),
    ),
    Word(
        "whole_number", "argument", "type", formerly="integral", bool_only=False, refuses=(1.5,), bridges=False,
        scan=("fraction",),
    ),
    Word(
        "bool_as_int", "argument", "type", pure=True, rewrite=Rewrite("always", "+{value}"),
        draft=BySignature(("start", "end", "step"), takes="bool"),
    ),
    Word(
        "smallest_by_negation", "argument", "nothing", consults=1, bridges=False,
        draft=BySignature(("largest",), beside="input", targets="mindspore.ops."),
    ),
    Word("as_float", "argument", "type", formerly="real", pure=True, draft=BySignature(makes_float=True)),
    Word("in_range", "argument", "nothing", consults=1, draft=BySignature(("fill_value",), beside="dtype")),
    Word("choose", "argument", "value", {"true": object, "false": object}, pure=True),
    Word(
        "given_or", "argument", "nothing", {"value": object}, pure=True, fixes_default=True,
        draft=ByDefault(_named_choice),
    ),
    Word(
        "legacy_reduction", "argument", "value", merges=True,
        draft=ByMerging(("size_average", "reduce", "reduction"), ("reduction",)),
    ),
)  # fmt: skip
