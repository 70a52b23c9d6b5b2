"""What the evidence of an entry is worth: it holds until anything changes that was run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from kept import ROOT, Registry, keep, made, state

from mapspore.evidence.files import place

NAME = "torch.distributed.all_gather"
RAN = {
    "torch": "2.13.0", "mindspore": "2.10.0", "python": "3.11", "platform": "CPU, MindSpore runtime; not HCCL",
    "ranks": [2, 3, 4], "cases": {"equal": 300, "contract": 7}, "quick": {"ranks": [2, 3], "cases": {"equal": 20}},
}  # fmt: skip


@pytest.fixture
def root(registry: Registry) -> Path:
    return made(registry, NAME, {"mint": RAN, "comm_func": RAN})


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("mappings/torch/distributed/all_gather.yaml", "    requires: {tensor_list: same_shape}\n", ""),
        ("adapter/torchspore/distributed/_all_gather.py", "async_op: bool = False", "async_op: bool = True"),
        ("adapter/torchspore/_runtime/words/collectives.py", "def at_least_1d(", "@id\ndef at_least_1d("),
        (
            "adapter/torchspore/_runtime/collectives/cpu/mint.py",
            "members = group_of(group)",
            "members = group_of(None)",
        ),
    ],
)
def test_a_change_of_what_was_run_voids_it(root: Path, file: str, old: str, new: str) -> None:
    assert state(root) == "verified"
    text = (root / file).read_text("utf-8")
    assert old in text
    (root / file).write_text(text.replace(old, new), "utf-8")
    assert state(root) == "stale"


def test_another_module_does_not_concern_it(root: Path) -> None:
    other = root / "adapter/torchspore/distributed/_gather.py"
    other.write_text(other.read_text("utf-8") + "print()\n", "utf-8")
    assert state(root) == "verified"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 2, "targets": 3}', "\x00"])
def test_what_cannot_be_understood_is_stale(root: Path, content: str) -> None:
    (root / "evidence" / place(NAME)).write_text(content, "utf-8")
    assert state(root) == "stale"


def test_a_target_that_was_not_run_voids_it(root: Path) -> None:
    keep(root, {"mint": RAN})
    assert state(root) == "stale"


def test_check_warns_and_passes(root: Path, mapspore: Callable[..., tuple[int, str, str]]) -> None:
    assert mapspore("check", "--root", root)[0] == 0
    keep(root, {"mint": RAN})
    code, out, _ = mapspore("check", "--root", root)
    assert code == 0 and "warning[M609]" in out and f"mapspore verify {NAME}" in out


def test_answers_and_pages_carry_it(root: Path, mapspore: Callable[..., tuple[int, str, str]]) -> None:
    data = json.loads(mapspore("show", NAME, "--format", "json", "--root", root)[1])
    for target in data["targets"]:
        evidence = target["evidence"]
        assert evidence["state"] == "verified" and evidence["cases"] == RAN["cases"] and evidence["torch"] == "2.13.0"
    said = (
        "The adapter on MindSpore 2.10.0 was run beside PyTorch 2.13.0 at 2, 3, 4 ranks (CPU, MindSpore runtime; "
        "not HCCL), in 307 cases: 300 equal, 7 judged by the contract where gloo cannot judge."
    )
    shown = " ".join(mapspore("show", NAME, "--root", root)[1].split())
    assert shown.count(said) == 2
    assert mapspore("show", NAME, "--format", "md", "--root", root)[1].count("307 cases: 300 equal") == 2
    keep(root, {"mint": RAN})
    for kind in ("text", "md"):
        shown = mapspore("show", NAME, "--format", kind, "--root", root)[1]
        assert "300 equal" not in shown and shown.count("Not verified") == 2
    data = json.loads(mapspore("show", NAME, "--format", "json", "--root", root)[1])
    assert [target["evidence"]["state"] for target in data["targets"]] == ["stale", "stale"]


@pytest.mark.parametrize(("name", "said"), [("monitored_barrier", "refused"), ("get_rank", " equal")])
def test_one_piece_of_code_has_one_evidence(
    name: str, said: str, mapspore: Callable[..., tuple[int, str, str]]
) -> None:
    """A refusal is not called equal, and what the runtime does is not said of a function of MindSpore."""
    data = json.loads(mapspore("show", f"torch.distributed.{name}", "--format", "json", "--root", ROOT)[1])
    told = [target["evidence"] for target in data["targets"] if target["evidence"]]
    assert said in data["evidence"]["en"] and not any(each["state"] == "verified" for each in told)
    for kind in ("text", "md"):
        shown = mapspore("show", f"torch.distributed.{name}", "--format", kind, "--root", ROOT)[1]
        assert shown.count("run beside PyTorch") == 1
