"""Entries written with the names of yesterday: `fix` rewrites keys and words, with every comment, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.cli.main import main
from mapspore.entry.model import Entry
from mapspore.entry.parse import models_in
from mapspore.entry.renames import FORMER_WORDS, KEYS, TO_VERIFY
from mapspore.words.vocabulary import WORDS

HEAD = """# yaml-language-server: $schema=../entry.schema.json
torch: torch.median
summary:
  en: The median of all elements, or along a dimension.
  zh: 求全部元素或沿某一维的中位数。
"""
BEFORE = (
    HEAD
    + """contract:
  # what torch takes
  inputs: {input: {dtypes: [float], distinct: true}, other: {values: [0, 1], distinct: false}}
  outputs: {out: {}}
  # both ends
  samples: {dim: [0, -1]}
  random: false
  keeps: {a: [b]}
targets:
  - mindspore: mindspore.ops.median
    arguments:
      x: {from: input, by: [degrees, integral]}  # a number
      "y": {from: other, by: {spread: {}}}
    outputs: {out: {from: median, by: into}}
    supports: [{dim: given}]
    accepts: {input: nonempty}
    forms:
      - lacks: [dim]
        keep: [keepdims]
        returns: [median, index]
        result: median
        results: {median: real}
    call:
      keep: [z]
"""
)
AFTER = (
    HEAD
    + """contract:
  writes: {out: {}}
  # what torch takes
  reads: {input: {dtypes: [float]}, other: {}}
  state_if: {a: [b]}
targets:
  - mindspore: mindspore.ops.median
    arguments:
      x: {from: input, by: [correction_to_number, whole_number]}  # a number
      "y": {from: other, by: {varargs_or_list: {}}}
    fill: {out: {from: median, by: into}}
    requires: {input: nonempty}
    only: [{dim: given}]
    forms:
      - lacks: [dim]
        leave_default: [keepdims]
        returns: [median, index]
        hand_back: median
        convert_returns: {median: as_float}
    call:
      leave_default: [z]
verify:
  # both ends
  samples: {dim: [0, -1]}
  values: {other: [0, 1]}
  distinct: [input]
  random: false
"""
)


def _fixed(tmp_path: Path, text: str) -> tuple[int, str]:
    entry = tmp_path / "mappings" / "torch" / "median.yaml"
    entry.parent.mkdir(parents=True, exist_ok=True)
    entry.write_text(text, "utf-8")
    code = main(["fix", "--root", str(tmp_path), "--lang", "en"])
    return code, entry.read_text("utf-8")


def test_fix_rewrites_every_former_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _fixed(tmp_path, BEFORE) == (0, AFTER)
    assert capsys.readouterr().out.endswith("1 of 1 files fixed. Next: `mapspore check`.\n")
    assert _fixed(tmp_path, AFTER) == (0, AFTER)


def test_a_key_under_both_names_is_left_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = AFTER.replace("    call:\n", "    accepts: {dim: nonzero}\n    call:\n")
    assert _fixed(tmp_path, text) == (1, text)
    assert "unknown key `accepts` in `targets[0]`" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["- a\n", "contract: 1\n", "contract: {inputs: [a]}\ntargets: {keep: a}\n"])
def test_what_is_no_entry_stays(tmp_path: Path, text: str) -> None:
    assert _fixed(tmp_path, text) == (1, text)


def test_no_former_name_is_a_name_of_today() -> None:
    for model, names in KEYS.items():
        assert names.keys().isdisjoint(model.model_fields)
        assert set(names.values()) <= model.model_fields.keys()
    verification = next(models_in(Entry.model_fields["verify"].annotation))
    for model, keys in TO_VERIFY.items():
        assert set(keys).isdisjoint(model.model_fields)
        assert set(keys) <= verification.model_fields.keys()
    assert FORMER_WORDS and FORMER_WORDS.keys().isdisjoint(WORDS)
