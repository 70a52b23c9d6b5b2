"""Which words a draft proposes. In: torch's and MindSpore's parameters of one call form. Out: by MindSpore parameter,
what it probably receives, as the line of an entry; read off kinds, annotations, defaults, and names that mean the same
in every API. A person judges each.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import get_args

from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.differences import same_default
from mapspore.words.dtypes import Dtype
from mapspore.words.pure import convert
from mapspore.words.vocabulary import WORDS

_MERGED = (
    (("unbiased", "correction"), ("correction", "ddof"), "[degrees, integral]"),
    (("size_average", "reduce", "reduction"), ("reduction",), "legacy_reduction"),
)
"""torch parameters that mean one thing together, the names that it has in MindSpore, and what makes one of them."""
_CONSULTED = {"dtype": ("fill_value", "inferred_dtype"), "fill_value": ("dtype", "in_range")}
"""torch parameters of which one decides about the other, with the word that looks at both."""
_DTYPES = {**{f"mstype.{name}": name for name in get_args(Dtype)}, "mstype.bool_": "bool"}


def merged(torch: dict[str, Parameter], mindspore: dict[str, Parameter]) -> Iterator[tuple[str, list[str], str]]:
    """What one MindSpore parameter receives from several of torch: the receiver, the sources, the line."""
    for names, receivers, words in _MERGED:
        sources = [name for name in names if name in torch]
        receiver = next((name for name in receivers if name in mindspore), None)
        if len(sources) > 1 and receiver is not None:
            yield receiver, sources, f"{{from: [{', '.join(sources)}], by: {words}}}"


def split(torch: dict[str, Parameter], mindspore: dict[str, Parameter]) -> Iterator[tuple[str, str, str]]:
    """A pair in torch whose items MindSpore takes one by one: the receiver, the source, the line."""
    for source in torch.values():
        parts = [name for number in (1, 2) if (name := f"{source.name.removesuffix('s')}{number}") in mindspore]
        if (source.default or "").startswith("(") and len(parts) == 2:
            for index, receiver in enumerate(parts):
                yield receiver, source.name, f"{{from: {source.name}, by: {{item: {{index: {index}}}}}}}"


def converted(source: Parameter, receiver: Parameter, torch: dict[str, Parameter]) -> str:
    """The words by which a torch parameter probably becomes MindSpore's, as the rest of a line; empty if none."""
    if source.name in _CONSULTED and _CONSULTED[source.name][0] in torch:
        other, word = _CONSULTED[source.name]
        return f", with: {other}, by: {word}"
    if source.kind == "var_positional":
        return ", by: spread"
    if source.annotation == "ParamsT":
        return ", by: {parameter_groups: {keys: [lr, weight_decay]}}"
    kinds = kinds_taken(source.annotation)
    if "tensors" in kinds:
        return ", by: promote"
    if "device" in kinds:
        return ", by: device_name"
    if source.name != receiver.name and "ints" in kinds:
        return ", by: axes"
    return _by_default(source.default, receiver.default)


def _by_default(ours: str | None, theirs: str | None) -> str:
    """The word that makes torch's default MindSpore's, or keeps it where MindSpore has another."""
    if ours is None or theirs is None or same_default(ours, theirs):
        return ""
    for word in WORDS.values():
        if word.pure and not word.options and not word.merges:
            made = convert(word.name, {}, ours)
            if made is not None and same_default(made, theirs):
                return f", by: {word.name}"
    if ours != "None":
        return ""
    if theirs in _DTYPES:
        return f", by: {{dtype_or: {{dtype: {_DTYPES[theirs]}}}}}"
    try:
        value = ast.literal_eval(theirs)
    except (ValueError, SyntaxError):
        return ""
    return f", by: {{given_or: {{value: {value}}}}}" if isinstance(value, str) and value.isidentifier() else ""
