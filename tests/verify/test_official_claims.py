"""Where the official tables call an API consistent and the derived verdict says otherwise, the frameworks themselves
decide: each contradiction is shown by one call of either. `tests/verify/official_claims.jsonl` has the tables' rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch

from mapspore.pipeline import load_registry
from mapspore.verify.compare import DIFFERENT, agree, lacks_kernel
from mapspore.verify.sides import AdapterSide, TorchSide
from mapspore.verify.single.run_call import seen_of

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = [json.loads(line) for line in (ROOT / "tests/verify/official_claims.jsonl").read_text("utf-8").splitlines()]
REGISTRY = load_registry(ROOT).registry

F = torch.nn.functional
NAN = np.array([1.0, np.nan, 2.0], np.float32)
TWO = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, 6.0]], np.float32)
Calls = tuple[Callable[[], Any], Callable[[], Any]]

SHOWN: dict[tuple[str, str], Calls] = {
    ("torch.einsum", "mindspore.ops.einsum"): (  # MindSpore takes no bfloat16
        lambda: torch.einsum("ij->ji", torch.ones(2, 3, dtype=torch.bfloat16)),
        lambda: ms.ops.einsum("ij->ji", ms.Tensor(np.ones((2, 3)), ms.bfloat16)),
    ),
    ("torch.full", "mindspore.ops.full"): (  # a value that the dtype cannot hold
        lambda: torch.full((2,), 300, dtype=torch.uint8),
        lambda: ms.ops.full((2,), 300, dtype=ms.uint8),
    ),
    ("torch.topk", "mindspore.ops.topk"): (  # the dtype of indices
        lambda: tuple(torch.topk(torch.tensor(TWO), 2)),
        lambda: ms.ops.topk(ms.Tensor(TWO), 2),
    ),
    ("torch.nn.functional.smooth_l1_loss", "mindspore.ops.smooth_l1_loss"): (  # the default of `reduction`
        lambda: F.smooth_l1_loss(torch.tensor(TWO), torch.zeros(2, 3)),
        lambda: ms.ops.smooth_l1_loss(ms.Tensor(TWO), ms.Tensor(np.zeros((2, 3), np.float32))),
    ),
    ("torch.nn.functional.smooth_l1_loss", "mindspore.mint.nn.functional.smooth_l1_loss"): (  # older parameters
        lambda: F.smooth_l1_loss(torch.tensor(TWO), torch.zeros(2, 3), reduce=False),
        lambda: ms.mint.nn.functional.smooth_l1_loss(
            ms.Tensor(TWO), ms.Tensor(np.zeros((2, 3), np.float32)), reduce=False
        ),
    ),
    ("torch.Tensor.view", "mindspore.Tensor.view"): (  # where no view is possible
        lambda: torch.tensor(TWO).T.view(6),
        lambda: ms.Tensor(TWO).T.view(6),
    ),
    ("torch.optim.Adam", "mindspore.experimental.optim.Adam"): (  # parameters that MindSpore lacks
        lambda: bool(torch.optim.Adam([torch.nn.Parameter(torch.ones(2))], foreach=False)),
        lambda: bool(ms.experimental.optim.Adam([ms.Parameter(ms.Tensor([1.0, 1.0]), name="w")], foreach=False)),
    ),
    ("torch.cat", "mindspore.mint.cat"): (  # tensors of different dtypes
        lambda: torch.cat([torch.tensor(TWO), torch.zeros(1, 3, dtype=torch.int64)]),
        lambda: ms.mint.cat([ms.Tensor(TWO), ms.Tensor(np.zeros((1, 3), np.int64))]),
    ),
    ("torch.full", "mindspore.mint.full"): (  # a parameter that MindSpore lacks
        lambda: torch.full((2,), 1.0, requires_grad=True),
        lambda: ms.mint.full((2,), 1.0, requires_grad=True),
    ),
    ("torch.max", "mindspore.mint.max"): (  # nan
        lambda: torch.max(torch.tensor(NAN)),
        lambda: ms.mint.max(ms.Tensor(NAN)),
    ),
    ("torch.sort", "mindspore.mint.sort"): (  # positions
        lambda: tuple(torch.sort(torch.tensor(TWO), 0, True)),
        lambda: ms.mint.sort(ms.Tensor(TWO), 0, True),
    ),
    ("torch.std", "mindspore.mint.std"): (  # a parameter of another name and meaning
        lambda: torch.std(torch.tensor(TWO), unbiased=False),
        lambda: ms.mint.std(ms.Tensor(TWO), unbiased=False),
    ),
    ("torch.var", "mindspore.mint.var"): (
        lambda: torch.var(torch.tensor(TWO), unbiased=False),
        lambda: ms.mint.var(ms.Tensor(TWO), unbiased=False),
    ),
    ("torch.nn.BatchNorm2d", "mindspore.mint.nn.BatchNorm2d"): (  # the mode that objects start in
        lambda: torch.nn.BatchNorm2d(3).training,
        lambda: bool(ms.mint.nn.BatchNorm2d(3).training),
    ),
    ("torch.nn.Dropout", "mindspore.mint.nn.Dropout"): (
        lambda: torch.nn.Dropout().training,
        lambda: bool(ms.mint.nn.Dropout().training),
    ),
}  # fmt: skip


def contradicted() -> set[tuple[str, str]]:
    """The rows that call consistent, in some language, what the registry does not."""
    found = set()
    for row in CLAIMS:
        mapping = REGISTRY.by_name.get(row["torch"])
        for counterpart in mapping.counterparts if mapping else ():
            claimed = "consistent" in (row["claim_en"], row["claim_zh"])
            if claimed and counterpart.target.mindspore == row["mindspore"] and counterpart.verdict != "consistent":
                found.add((row["torch"], row["mindspore"]))
    return found


def test_every_contradiction_is_shown() -> None:
    assert contradicted() == set(SHOWN)


@pytest.mark.parametrize("pair", SHOWN, ids=" ".join)
def test_the_frameworks_differ_where_the_table_says_that_they_do_not(pair: tuple[str, str]) -> None:
    with_torch, with_mindspore = SHOWN[pair]
    wanted, got = seen_of(TorchSide(), with_torch), seen_of(AdapterSide(), with_mindspore)
    assert not lacks_kernel(got), "what cannot run shows nothing"
    if wanted.seen is None or got.seen is None:
        assert bool(wanted.error) != bool(got.error), (wanted, got)
    else:
        assert agree(wanted.seen, got.seen).kind == DIFFERENT


def test_what_both_call_consistent_was_verified_without_a_difference() -> None:
    """Agreement with the table is no less a claim: nothing that was run differs, not even as the entry says."""
    agreed = 0
    for row in CLAIMS:
        mapping = REGISTRY.by_name.get(row["torch"])
        for counterpart in mapping.counterparts if mapping else ():
            if (counterpart.target.mindspore, counterpart.verdict) == (row["mindspore"], "consistent"):
                file = ROOT / "evidence" / (row["torch"].replace(".", "/") + ".json")
                cases = json.loads(file.read_text("utf-8"))["targets"][counterpart.id]["cases"]
                assert "stated" not in cases, row
                agreed += 1
    assert agreed >= 5
