"""Calls of PyTorch's own tests as cases: which there are, that they are the same each time, and that arguments are put
right by what the entry says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import native_entries
import pytest

from mapspore.cases.case_arguments import specs
from mapspore.cases.single.drawn import CAP, digest
from mapspore.cases.single.plan import call_plan
from mapspore.pipeline import load_registry
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.single.drawn import Drawn, draw
from mapspore.verify.tensors import storage

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("std", "einsum", "full", "cat", "topk", "nn.Linear", "optim.Adam", "nn.parallel.DistributedDataParallel")
OPTIMIZER = "optim.Adam"
"""The adapter has an optimiser of its own; MindSpore's is drawn for by an entry of its kind."""
PLANS = {
    name: call_plan(mapping)
    for mappings in (load_registry(ROOT).registry.mappings, native_entries.MAPPINGS)
    for mapping in mappings
    if (name := mapping.name.removeprefix("torch.")) in NAMES
    and (mappings is native_entries.MAPPINGS) == (name == OPTIMIZER)
}


@pytest.fixture(scope="module")
def twice() -> list[dict[str, Drawn]]:
    with Servers() as servers:
        return [draw(list(PLANS.values()), Settings(servers)) for _ in range(2)]


@pytest.fixture
def drawn(twice: list[dict[str, Drawn]]) -> dict[str, Drawn]:
    return {name.removeprefix("torch."): each for name, each in twice[0].items()}


def test_entries_that_the_tests_know_have_cases_up_to_the_cap(drawn: dict[str, Drawn]) -> None:
    assert set(drawn) == {*NAMES} - {"nn.parallel.DistributedDataParallel"}
    assert drawn["std"].names == ("std", "std/unbiased") and drawn["optim.Adam"].names == ("Adam",)
    assert len(drawn["std"].cases) == CAP and all(0 < len(each.cases) <= CAP for each in drawn.values())
    assert all(case["source"] == "torch" for each in drawn.values() for case in each.cases)


def test_the_same_cases_are_drawn_each_time(twice: list[dict[str, Drawn]]) -> None:
    first, second = twice
    assert {name: each.data for name, each in first.items()} == {name: each.data for name, each in second.items()}
    changed = [case | {"kind": "other"} for case in first["torch.std"].cases]
    assert digest(changed) != first["torch.std"].data["digest"]


def test_strata_are_all_there(drawn: dict[str, Drawn]) -> None:
    labels = " ".join(case["id"] for case in drawn["std"].cases)
    for situation in ("gradient", "dtype-float16", "extremes-float32", "fill-nan", "empty", "many", "numpy-", "view-"):
        assert situation in labels, situation


def test_arguments_that_a_description_reorders_are_recorded_as_the_function_gets_them(drawn: dict[str, Drawn]) -> None:
    for case in drawn["einsum"].cases:
        assert isinstance(case["given"]["equation"], str) and specs(case["given"]["operands"])


def test_arguments_that_name_a_device_are_left_out(drawn: dict[str, Drawn]) -> None:
    assert drawn["full"].cases and not any("device" in case["given"] for case in drawn["full"].cases)


def test_values_that_must_differ_do_so_in_every_situation(drawn: dict[str, Drawn]) -> None:
    for case in drawn["topk"].cases:
        if "-dtype-int" in case["id"] or "-many" in case["id"]:
            (spec,) = specs(case["given"]["input"])
            array = storage(spec, case["id"])
            assert len(set(array.reshape(-1).tolist())) == array.size, case["id"]


def test_content_travels_as_it_is(drawn: dict[str, Drawn]) -> None:
    plain: list[dict[str, Any]] = [case for case in drawn["cat"].cases if case["id"].endswith("cat-0")]
    for spec in specs(plain[0]["given"]["tensors"]):
        assert storage(spec, "a").tobytes().hex() == spec["data"] == storage(spec, "b").tobytes().hex()
