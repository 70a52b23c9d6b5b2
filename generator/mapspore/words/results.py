"""The words on results that the caller gets back. In: nothing. Out: `WORDS`."""

from __future__ import annotations

from mapspore.words.dtypes import DTYPES
from mapspore.words.types import ByResult, Word

WORDS = (
    Word(
        "cast", "result", "type", {"dtype": DTYPES}, draft=ByResult("indices", "mindspore.ops.", {"dtype": "int64"})
    ),
)  # fmt: skip
