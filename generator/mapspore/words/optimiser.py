"""The words of optimisers. In: nothing. Out: `WORDS`."""

from __future__ import annotations

from mapspore.words.types import BySignature, Word

WORDS = (
    Word(
        "parameter_groups", "argument", "type", {"keys": list}, group_keys="keys",
        draft=BySignature(annotation="ParamsT", options={"keys": ["lr", "weight_decay"]}),
    ),
    Word("adam_eps_before_correction", "argument", "value", formerly="uncorrected", consults=1, each_step=True),
)  # fmt: skip
