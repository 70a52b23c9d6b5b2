"""The words about tensors outside of collectives: their dimensions, their elements, where they lie. In: nothing. Out:
`WORDS`.
"""

from __future__ import annotations

from mapspore.words.types import BySignature, Word

WORDS = (
    Word("varargs_or_list", "argument", "nothing", formerly="spread", draft=BySignature(kind="var_positional")),
    Word("flatten", "argument", "value"),
    Word("as_tuple", "argument", "type", pure=True),
    Word("without_legacy_empty", "argument", "nothing"),
    Word("centred", "argument", "nothing"),
    Word("axes", "argument", "type", pure=True, draft=BySignature(takes="ints", renamed=True)),
    Word(
        "device_name", "argument", "value", refuses=("cuda",), scan=("own_device",), draft=BySignature(takes="device")
    ),
)  # fmt: skip
