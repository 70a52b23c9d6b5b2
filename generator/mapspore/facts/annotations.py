"""Annotations of torch's stubs. In: the annotation of a parameter, as text. Out: the kinds of value that it allows."""

from __future__ import annotations

_TAKEN = {
    "None": "none", "Tensor": "tensor", "_bool": "bool", "bool": "bool", "_int": "int", "int": "int", "SymInt": "int",
    "_size": "ints", "_float": "number", "float": "number", "Number": "number", "_complex": "number", "str": "text",
    "complex": "number", "Sequence[_int | SymInt]": "ints", "Sequence[_int]": "ints",
    "tuple[Tensor, ...]": "tensors", "list[Tensor]": "tensors", "_dtype": "dtype", "DeviceLikeType": "device",
}  # fmt: skip


def kinds_taken(annotation: str | None) -> list[str]:
    """The kinds of value that a stub's annotation allows; nothing if one of its parts is not known."""
    parts = alternatives(annotation or "Any")
    kinds = [_TAKEN.get(part.removeprefix("torch.")) for part in parts]
    if "Number" in parts:
        kinds.append("bool")  # torch takes a bool for a number, though not for an integer
    return [] if None in kinds else list(dict.fromkeys(kind for kind in kinds if kind is not None))


def alternatives(annotation: str) -> list[str]:
    """`Tensor | Sequence[_int | SymInt]` as its two parts."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(annotation):
        depth += (sign in "[(") - (sign in "])")
        if sign == "|" and depth == 0:
            parts.append(annotation[start:at].strip())
            start = at + 1
    return [*parts, annotation[start:].strip()]
