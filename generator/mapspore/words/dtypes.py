"""The names of dtypes, as entries and the options of words spell them."""

from __future__ import annotations

from typing import Literal

Dtype = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
]  # fmt: skip
