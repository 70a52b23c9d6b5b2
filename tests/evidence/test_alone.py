"""Evidence of calls in one process: what it depends on, and what is said of a target that no CPU can run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from kept import Registry, keep, made, state

from mapspore.cases.single.drawn import identity

NAME = "torch.cat"
RAN = {
    "torch": "2.13.0", "mindspore": "2.10.0", "python": "3.11", "platform": "CPU",
    "cases": {"equal": 40, "within_ulp": 2, "stated": 1, "same_error": 6}, "quick": {"cases": {"equal": 9}},
}  # fmt: skip
LACKING = RAN | {"cases": {"no_kernel": 40, "same_error": 6}, "status": "no_kernel"}
DRAWN = {"names": ["cat"], "calls": 9, "digest": "0" * 32} | identity("2.13.0")
Mapspore = Callable[..., tuple[int, str, str]]


@pytest.fixture
def root(registry: Registry) -> Path:
    return made(registry, NAME, {"mint": LACKING, "ops": RAN})


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("adapter/torchspore/_cat.py", "stale"),
        ("adapter/torchspore/_runtime/words/calls.py", "stale"),
        ("adapter/torchspore/_runtime/core/targets.py", "stale"),
        ("adapter/torchspore/_runtime/collectives/collective.py", "verified"),
        ("adapter/torchspore/distributed/_gather.py", "verified"),
    ],
)
def test_it_depends_on_what_one_process_runs(root: Path, file: str, wanted: str) -> None:
    assert state(root) == "verified"
    (root / file).write_text((root / file).read_text("utf-8") + "print()\n", "utf-8")
    assert state(root) == wanted


def test_a_target_without_a_kernel_is_never_called_passed(root: Path, mapspore: Mapspore) -> None:
    data = json.loads(mapspore("show", NAME, "--format", "json", "--root", root)[1])
    said = {target["id"]: target["evidence"] for target in data["targets"]}
    assert said["mint"]["status"] == "no_kernel" and "status" not in said["ops"] and "ranks" not in said["ops"]
    assert said["mint"]["en"].startswith("Not verified: MindSpore 2.10.0 has no CPU kernel")
    assert said["mint"]["zh"].startswith("未验证：MindSpore 2.10.0 在 CPU 上没有可用的算子。")
    assert said["ops"]["en"] == (
        "The adapter on MindSpore 2.10.0 was run beside PyTorch 2.13.0 in one process (CPU), in 49 cases: 40 equal, "
        "2 equal but for rounding, 6 with the same error, 1 different as stated here."
    )
    for kind in ("text", "md"):
        shown = " ".join(mapspore("show", NAME, "--format", kind, "--root", root)[1].split())
        assert shown.count("has no CPU kernel for it.") == 1 and shown.count("run beside PyTorch") == 1


def test_a_stated_difference_of_weights_is_told_with_its_size(root: Path, mapspore: Mapspore) -> None:
    keep(root, {"mint": LACKING, "ops": RAN | {"measured": {"eps=0.001, lr=0.1": [0.0029, 0.074]}}})
    data = json.loads(mapspore("show", NAME, "--format", "json", "--root", root)[1])
    said = next(target["evidence"] for target in data["targets"] if target["id"] == "ops")
    assert said["en"].endswith(
        "With `eps=0.001`, `lr=0.1` the weights are 0.0029 apart after one step and 0.074 after ten."
    )
    assert said["measured"] == [{"given": "eps=0.001, lr=0.1", "values": [0.0029, 0.074]}]


def test_cases_of_pytorchs_own_tests_are_told_apart_and_stand_without_torch(root: Path, mapspore: Mapspore) -> None:
    keep(root, {"mint": LACKING, "ops": RAN | {"drawn": {"equal": 310, "refused": 2}}}, DRAWN)
    assert state(root) == "verified"
    data = json.loads(mapspore("show", NAME, "--format", "json", "--root", root)[1])
    said = next(target["evidence"] for target in data["targets"] if target["id"] == "ops")
    assert said["drawn"] == {"equal": 310, "refused": 2} and "in 361 cases: 350 equal" in said["en"]
    assert "312 come from PyTorch's own tests (at most 150 for each counterpart) and 49 are ours." in said["en"]
    assert "其中 312 例来自 PyTorch 自身的测试" in said["zh"]


@pytest.mark.parametrize(("key", "value"), [("seed", 21), ("cap", 200), ("rule", 0)])
def test_another_choice_among_pytorchs_own_tests_voids_the_evidence(root: Path, key: str, value: int) -> None:
    keep(root, {"mint": LACKING, "ops": RAN | {"drawn": {"equal": 310}}}, DRAWN | {key: value})
    assert state(root) == "stale"
