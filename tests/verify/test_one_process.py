"""Verification in one process: what goes into cases, how outcomes are judged, and that it finds what an entry does not
say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mapspore.cases.single.entry_cases import call_cases
from mapspore.cases.single.plan import CallPlan, call_plan
from mapspore.cases.single.refusals import NUMPY_NAMES
from mapspore.cases.tensor_tables import DTYPES, FILLS, KIND, SPECIAL
from mapspore.cli.main import main
from mapspore.entry.load import CASES
from mapspore.pipeline import load_registry
from mapspore.text.phrases import catalogue
from mapspore.verify import compare as judged
from mapspore.verify.compare import OUTCOMES, agree, compare, within
from mapspore.verify.measured import WAYS
from mapspore.verify.outcome import Outcome, Seen
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.rounding import Rounding
from mapspore.verify.script import script
from mapspore.verify.sides import ReferenceSide
from mapspore.verify.single.run import run
from mapspore.verify.single.run_random import sample_difference
from mapspore.verify.tensors import look, storage
from mapspore.words.situations import SITUATIONS, TOPICS
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
PLANS = [call_plan(mapping) for mapping in load_registry(ROOT).registry.mappings if not mapping.needs_ranks]


# -- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", list(KIND))
def test_numbers_depend_on_the_case_and_on_nothing_else(dtype: str) -> None:
    spec = {"name": "x", "shape": [3, 4], "dtype": dtype}
    first, again, other = storage(spec, "a"), storage(spec, "a"), storage(spec, "b")
    assert np.array_equal(first, again) and not np.array_equal(first, other)


@pytest.mark.parametrize("fill", FILLS)
def test_special_values_stand_among_ordinary_ones(fill: str) -> None:
    array = storage({"name": "x", "shape": [3, 4], "dtype": "float32", "fill": fill}, "seed")
    if fill in SPECIAL:
        special = np.array(SPECIAL[fill], "float32")
        same = (array == special) & (np.signbit(array) == np.signbit(special)) | (np.isnan(array) & np.isnan(special))
        assert same.sum() == 1
    else:
        assert np.unique(array).size < array.size


@pytest.mark.parametrize("dtype", [*DTYPES["float"], *DTYPES["integer"]])
def test_distinct_values_stay_distinct_in_every_dtype(dtype: str) -> None:
    array = storage({"name": "x", "shape": [2, 3, 4], "dtype": dtype, "distinct": True}, "seed")
    assert np.unique(array).size == array.size


@pytest.mark.parametrize("view", ["own", "row", "first_row", "transposed", "strided", "offset"])
def test_a_view_has_the_shape_that_is_asked_for(view: str) -> None:
    spec = {"name": "x", "shape": [3, 4], "dtype": "float32", "view": view}
    seen = look(storage(spec, "seed"), view)
    assert seen.shape == (3, 4) and seen.flags["C_CONTIGUOUS"] == (view not in ("transposed", "strided"))


# -- verdicts -------------------------------------------------------------------------------------------------------


def tensor(values: object, dtype: str = "float32") -> Seen:
    return Seen("tensor", np.array(values, dtype), dtype)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (tensor([1.0, np.nan]), tensor([1.0, np.nan]), judged.EQUAL),
        (tensor([1.0, 2.0]), tensor([1.0, np.nextafter(np.float32(2), np.float32(3))]), judged.CLOSE),
        (tensor([1.0, 2.0]), tensor([1.0, 2.001]), judged.DIFFERENT),
        (tensor([1.0, np.inf]), tensor([1.0, 3e38]), judged.DIFFERENT),
        (tensor([1.0]), tensor([np.nan]), judged.DIFFERENT),
        (tensor([1, 2], "int64"), tensor([1, 2], "int32"), judged.DIFFERENT),
        (tensor([1, 2], "int64"), tensor([1, 3], "int64"), judged.DIFFERENT),
        (tensor([[1.0]]), tensor([1.0]), judged.DIFFERENT),
        (Seen("tuple", items=(tensor([1.0]),), fields=("values",)), Seen("tuple", items=(tensor([1.0]),)), "different"),
        (Seen("tuple", items=(tensor([1.0]),)), Seen("list", items=(tensor([1.0]),)), judged.DIFFERENT),
        (Seen("tuple", items=(tensor([1.0]), tensor([2.0]))), Seen("tuple", items=(tensor([1.0]),)), judged.DIFFERENT),
        (Seen("float", 1.5), Seen("float", 1.5), judged.EQUAL),
        (Seen("float", float("nan")), Seen("float", float("nan")), judged.EQUAL),
        (Seen("float", 1.0), Seen("int", 1), judged.DIFFERENT),
    ],
)
def test_values_are_compared_by_structure_dtype_shape_and_value(one: Seen, other: Seen, kind: str) -> None:
    assert agree(one, other).kind == kind


def test_the_unit_is_that_of_the_largest_value() -> None:
    one = np.array([1e6, 1.0], "float32")
    assert within(one, one + np.array([0, 0.25], "float32"), "float32", 8)
    assert not within(one, one + np.array([0, 4], "float32"), "float32", 8)


def raised(*kinds: str, sentence: str = "no") -> Outcome:
    return Outcome(error=kinds, sentence=sentence)


@pytest.mark.parametrize(
    ("refusal", "wanted", "got", "kind"),
    [
        (None, raised("IndexError"), raised("Rejected", "ValueError", "IndexError"), judged.SAME_ERROR),
        (None, raised("IndexError"), raised("ValueError"), judged.DIFFERENT),
        (None, raised("IndexError"), Outcome(tensor([1.0])), judged.DIFFERENT),
        (None, Outcome(tensor([1.0])), raised("ValueError"), judged.DIFFERENT),
        (None, Outcome(tensor([1.0])), raised("RuntimeError", sentence="The kernel X unregistered."), judged.NO_KERNEL),
        (
            None,
            raised("RuntimeError", sentence="\"x\" not implemented for 'Bool'"),
            Outcome(tensor([1.0])),
            "no_reference",
        ),
        ("UnsupportedArgument", Outcome(tensor([1.0])), raised("UnsupportedArgument"), judged.REFUSED),
        ("UnsupportedArgument", Outcome(tensor([1.0])), Outcome(tensor([1.0])), judged.DIFFERENT),
        ("UnsupportedArgument", Outcome(tensor([1.0])), raised("TypeError"), judged.DIFFERENT),
    ],
)
def test_errors_are_compared_by_type(refusal: str | None, wanted: Outcome, got: Outcome, kind: str) -> None:
    assert compare(refusal, wanted, got).kind == kind


def test_an_error_on_both_sides_counts_only_where_the_case_was_made_to_fail() -> None:
    wanted, got = raised("IndexError"), raised("Rejected", "IndexError")
    assert compare(None, wanted, got, fails=True).kind == judged.SAME_ERROR
    assert compare(None, wanted, got, fails=False).kind == judged.NO_VALUE
    assert compare(None, wanted, Outcome(tensor([1.0])), fails=False).kind == judged.DIFFERENT


def rounding(function: Callable[[np.ndarray], np.ndarray], numbers: np.ndarray) -> Rounding:
    """What rounding may do to a function of some float32."""

    def run(side: ReferenceSide) -> Outcome:
        return Outcome(Seen("tensor", np.asarray(function(side.tensor(numbers, "float32").numpy())), "float64"))

    return Rounding(run)


def test_rounding_is_judged_by_the_summands_and_not_by_the_result() -> None:
    numbers = np.array([1e4, -1e4, 0.25, 3e3, -3e3], np.float32)
    rounds = rounding(lambda each: each.sum(), numbers)
    wanted, near, far = tensor(0.25), tensor(0.2505), tensor(0.35)
    assert agree(wanted, near).kind == judged.DIFFERENT
    assert agree(wanted, near, rounds=rounds).kind == judged.CLOSE
    assert agree(wanted, far, rounds=rounds).kind == judged.DIFFERENT


def test_rounding_is_judged_element_by_element() -> None:
    numbers = np.array([1e6, 1.0], np.float32)
    one, other = tensor(numbers), tensor(numbers + np.array([0, 0.5], np.float32))
    assert agree(one, other, rounds=rounding(lambda each: each, numbers)).kind == judged.DIFFERENT


def test_a_wrong_spread_of_large_numbers_is_no_rounding() -> None:
    numbers = (10_000 + np.random.default_rng(0).normal(0, 1, 5000)).astype(np.float32)
    rounds = rounding(lambda each: each.std(), numbers)
    assert agree(tensor(numbers.astype("f8").std()), tensor(7.4), rounds=rounds).kind == judged.DIFFERENT
    assert agree(tensor(numbers.astype("f8").std()), tensor(numbers.astype("f8").std() + 1e-7), rounds=rounds).kind in (
        judged.CLOSE, judged.EQUAL,
    )  # fmt: skip


def test_what_a_call_writes_is_judged_by_rounding_and_what_it_leaves_alone_is_not() -> None:
    numbers = np.array([0.1, 0.2], np.float32)
    near = tensor(numbers + np.float32(1e-8) * np.array([1, 0], np.float32))

    def run(side: ReferenceSide) -> Outcome:
        seen = Seen("tensor", side.tensor(numbers, "float32").numpy(), "float64")
        return Outcome(tensor(1.0), tensors={"input": seen})

    def judge(written: tuple[str, ...]) -> str:
        wanted = Outcome(tensor(1.0), tensors={"input": tensor(numbers)}, written=written)
        return compare(None, wanted, Outcome(tensor(1.0), tensors={"input": near}), rounds=Rounding(run)).kind

    assert judge(("input",)) == judged.EQUAL
    assert judge(()) == judged.DIFFERENT


def test_near_the_largest_number_the_order_of_sums_decides() -> None:
    numbers = np.array([3e38, 3e38, -3e38, 1.0], np.float32)
    rounds = rounding(lambda each: np.array([each[:3].sum(), each[3]]), numbers)
    wanted = tensor(np.array([3e38, 1.0], np.float32))
    assert agree(wanted, tensor(np.array([np.inf, 1.0], np.float32)), rounds=rounds).kind == judged.CLOSE
    assert agree(wanted, tensor(np.array([3e38, np.inf], np.float32)), rounds=rounds).kind == judged.DIFFERENT


def test_samples_are_told_apart_by_values_shares_and_ranks() -> None:
    generator = np.random.default_rng(0)
    half = generator.integers(0, 2, 20_000) * 2.0
    assert not sample_difference(half, generator.integers(0, 2, 20_000) * 2.0, "float32")
    assert "shares" in sample_difference(half, (generator.random(20_000) < 0.45) * 2.0, "float32")
    assert "values" in sample_difference(half, half * 1.01, "float32")
    spread = generator.uniform(-0.5, 0.5, 800)
    assert not sample_difference(spread, generator.uniform(-0.5, 0.5, 800), "float32")
    assert sample_difference(spread, generator.uniform(-0.7, 0.7, 800), "float32")
    assert sample_difference(spread, generator.normal(0, 0.29, 800), "float32")


# -- cases ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("each", PLANS, ids=lambda each: each.name)
def test_cases_are_data(each: CallPlan) -> None:
    cases = call_cases(each)
    assert json.loads(json.dumps(cases)) == json.loads(json.dumps(call_cases(each)))
    if each.sort == "program":  # written by hand, and none is left out
        heads = [line for line in each.programs[CASES].splitlines() if line.startswith(("# case", "# error"))]
        assert len(cases) == len(heads) > 0
        return
    called = 11 if any(signature.parameters for signature in each.signatures) else 4
    alone = {"constant": 1 + len(each.aliases), "answer": 1, "unneeded": 3 if each.decorates else 1}
    assert len(cases) >= ({"migration": 2, "refusal": 1} | alone).get(each.sort, called)


def test_every_outcome_and_every_situation_has_its_words() -> None:
    assert set(catalogue("phrases")["outcomes"]) == {*OUTCOMES, *WAYS} - {judged.DIFFERENT}
    assert set(OUTCOMES) <= set(catalogue("verify"))
    assert set(catalogue("phrases")["situations"]) == set(SITUATIONS)
    assert set(TOPICS) <= set(catalogue("phrases")["topics"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_rule_for_undeclared_names_is_stated_where_readers_look(language: str) -> None:
    text = (ROOT / "site" / language / "guides" / "reading.md").read_text("utf-8")
    for theirs, ours in NUMPY_NAMES.items():
        assert f"`{theirs}=`" in text and f"`{ours}=`" in text
    assert "`TypeError`" in text


# -- what an entry does not say -------------------------------------------------------------------------------------

SUMMARY = "summary:\n  en: A test.\n  zh: 测试。\n"
RELU = "torch: torch.nn.functional.leaky_relu\n" + SUMMARY + """contract:
  reads: {input: {dtypes: [float]}}
targets:
  - mindspore: mindspore.ops.leaky_relu
    arguments: {alpha: {from: negative_slope}}
    absent: {inplace: unsupported}
"""  # fmt: skip
STATED = """    differs:
      - {about: double_input, en: Other digits., zh: 位数不同。}
      - {about: gradient, en: Another one at 0., zh: 在 0 处不同。}
"""


def registry(folder: Path, text: str) -> Path:
    entry = folder / "mappings/torch/nn/functional/leaky_relu.yaml"
    entry.parent.mkdir(parents=True)
    entry.write_text(text, "utf-8")
    assert main(["fix", "--root", str(folder)]) == 0
    shutil.copytree(ROOT / "adapter", folder / "adapter", ignore=shutil.ignore_patterns("__pycache__"))
    assert main(["generate", "--root", str(folder)]) == 0
    return folder


def test_it_finds_what_names_and_defaults_cannot_show_until_the_entry_says_it(tmp_path: Path) -> None:
    """MindSpore computes in float64 with the slope as a float32."""
    with Servers() as servers:
        silent, told = registry(tmp_path / "silent", RELU), registry(tmp_path / "told", RELU + STATED)
        found = {}
        for root in (silent, told):
            plans = [call_plan(mapping) for mapping in load_registry(root).registry.mappings]
            found[root] = run(plans, Settings(servers, adapter=root / "adapter"))
    different = {finding.case["id"].partition("/")[2] for finding in found[silent].different}
    assert {"dtype-float64", "dtype-float64/direct"} <= different
    assert all("float64" in label or "gradient-fill" in label for label in different)  # and the gradient at 0
    assert not found[told].different
    assert found[told].counts("torch.nn.functional.leaky_relu", "ops")["stated"] >= 2
    program = tmp_path / "reproduce.py"
    for finding in found[silent].different[:3]:
        program.write_text(script(finding), "utf-8")
        done = subprocess.run(
            [sys.executable, str(program)], env=os.environ | {"PYTHONPATH": str(silent / "adapter")}, cwd=tmp_path,
            capture_output=True, text=True, timeout=HANGS,
        )  # fmt: skip
        assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "different"), done.stdout + done.stderr
