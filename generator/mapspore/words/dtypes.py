"""The dtypes that entries name, and the words that choose one. In: nothing. Out: `Dtype` and `WORDS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from mapspore.words.types import ByDefault, BySignature, Word

Dtype = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip

DTYPES: frozenset[str] = frozenset(get_args(Dtype))


def _named_dtype(default: str) -> Mapping[str, Any] | None:
    """The options of `dtype_or`, if MindSpore's default is a dtype, such as `mstype.bool_`."""
    module, _, name = default.removesuffix("_").partition(".")
    return {"dtype": name} if module == "mstype" and name in DTYPES else None


WORDS = (
    Word("promote", "argument", "type", scan=("perhaps",), draft=BySignature(takes="tensors")),
    Word("promoted_with", "argument", "type", consults=1, scan=("perhaps",)),
    Word("integers_as_float", "argument", "type", scan=("perhaps",)),
    Word("castable", "argument", "nothing", consults=1, bridges=False),
    Word(
        "inferred_dtype", "argument", "value", consults=1,
        scan=("omitted",),
        draft=BySignature(("dtype",), beside="fill_value"),
    ),
    Word("dtype_or", "argument", "nothing", {"dtype": DTYPES}, fixes_default=True, draft=ByDefault(_named_dtype)),
)  # fmt: skip
