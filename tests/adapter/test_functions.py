"""Adapters of plain and overloaded functions and of APIs without a counterpart: generated and run beside torch."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mindspore
import pytest
import torch

from mapspore.cli.main import main

pytestmark = pytest.mark.frameworks

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).parents[2]
SUMMARY = "summary:\n  en: A test.\n  zh: 测试。\n"
ENTRIES = {
    "torch/abs": "torch: torch.abs\n" + SUMMARY + "targets:\n  - mindspore: mindspore.ops.abs\n",
    "torch/nn/functional/leaky_relu": "torch: torch.nn.functional.leaky_relu\n" + SUMMARY + """targets:
  - mindspore: mindspore.ops.leaky_relu
    arguments: {alpha: {from: negative_slope}}
    absent: {inplace: unsupported}
""",
    "torch/max": "torch: torch.max\n" + SUMMARY + """targets:
  - mindspore: mindspore.ops.max
    forms:
      - lacks: [dim, other]
        arguments: {axis: {value: null}}
        leave_default: [keepdims, initial, where]
        returns: [largest, index]
        hand_back: largest
      - has: dim
        arguments: {axis: {from: dim}, keepdims: {from: keepdim}}
        leave_default: [initial, where]
      - has: other
        absent: {other: unsupported}
        leave_default: [axis, keepdims, initial, where]
        returns: [largest, index]
        hand_back: largest
""",
    "torch/distributed/monitored_barrier": "torch: torch.distributed.monitored_barrier\n" + SUMMARY + """unmapped:
  why:
    en: It cannot know who is missing.
    zh: 无法得知谁缺席。
  instead:
    en: Say "barrier"; it waits \\ and that is all.
    zh: 请改用屏障。
""",
}  # fmt: skip


@pytest.fixture(scope="module")
def torchspore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package as it would be with these entries, imported instead of the real one."""
    root = tmp_path_factory.mktemp("registry")
    for name, text in ENTRIES.items():
        path = root / "mappings" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert main(["fix", "--root", str(root)]) == 0
    shutil.copytree(ROOT / "adapter/torchspore/_runtime", root / "adapter/torchspore/_runtime")
    for name in ("_choice.py", "_lazy.py"):
        shutil.copy(ROOT / "adapter/torchspore" / name, root / "adapter/torchspore" / name)
    assert main(["generate", "--root", str(root)]) == 0
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "torchspore"}
    sys.path.insert(0, str(root / "adapter"))
    try:
        yield importlib.import_module("torchspore")
    finally:
        sys.path.remove(str(root / "adapter"))
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchspore"]:
            del sys.modules[name]
        sys.modules.update(kept)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MindSpore leaves a folder `rank_0` where it runs."""
    monkeypatch.chdir(tmp_path)


VALUES = [[1.0, -2.0, 3.0], [4.0, 0.0, -6.0]]


def both() -> tuple[Any, Any]:
    return torch.tensor(VALUES), mindspore.tensor(VALUES)


def test_a_true_equal(torchspore: Any) -> None:
    theirs, ours = both()
    assert torchspore.abs(ours).tolist() == torch.abs(theirs).tolist()
    assert torchspore.abs(input=ours).tolist() == torch.abs(input=theirs).tolist()


def test_torchs_default_is_passed_where_mindspore_has_another(torchspore: Any) -> None:
    functional = importlib.import_module("torchspore.nn.functional")
    theirs, ours = both()
    wanted, found = torch.nn.functional.leaky_relu(theirs), functional.leaky_relu(ours)
    assert found.flatten().tolist() == pytest.approx(wanted.flatten().tolist())
    assert mindspore.ops.leaky_relu(ours).tolist() != found.tolist()


def test_an_argument_without_a_place_is_refused_by_name(torchspore: Any) -> None:
    functional = importlib.import_module("torchspore.nn.functional")
    _, ours = both()
    with pytest.raises(NotImplementedError, match=r"nothing for inplace, so it must stay False; it is True\."):
        functional.leaky_relu(ours, inplace=True)
    assert functional.leaky_relu(ours, inplace=False) is not None
    with pytest.raises(NotImplementedError, match=r"nothing for out.*; it is Tensor.*… \(a Tensor\)") as refused:
        torchspore.abs(ours, out=ours)
    assert "\n" not in str(refused.value)


def test_overloads_are_told_apart_by_name_number_and_type(torchspore: Any) -> None:
    theirs, ours = both()
    assert torchspore.max(ours).item() == torch.max(theirs).item()
    for arguments, named in (((1,), {}), ((), {"dim": 0}), ((0, True), {}), ((), {"dim": 1, "keepdim": True})):
        wanted, found = torch.max(theirs, *arguments, **named), torchspore.max(ours, *arguments, **named)
        assert [part.tolist() for part in found] == [part.tolist() for part in wanted]
    with pytest.raises(NotImplementedError, match="nothing for other"):
        torchspore.max(ours, ours)


@pytest.mark.parametrize("arguments", [("one",), (1, 2, 3), (True,)])
def test_a_call_that_fits_no_overload_says_which_there_are(torchspore: Any, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"it takes \(input, out\) or \(input, other, out\) or"):
        torchspore.max(both()[1], *arguments)


def test_no_counterpart_raises_the_sentence_of_the_entry(torchspore: Any) -> None:
    distributed = importlib.import_module("torchspore.distributed")
    with pytest.raises(NotImplementedError) as raised:
        distributed.monitored_barrier(wait_all_ranks=True)
    assert str(raised.value).endswith('Say "barrier"; it waits \\ and that is all.')
