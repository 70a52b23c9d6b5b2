"""`mapspore new` is tested by running it: its draft passes `check` but for the lines marked as judgement."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapspore.cli import main
from mapspore.pipeline import load_registry
from mapspore.skeleton import MARK

NAMES = [
    "torch.abs", "torch.cat", "torch.std", "torch.var", "torch.median", "torch.max", "torch.argmin", "torch.sort",
    "torch.topk", "torch.full", "torch.arange", "torch.einsum", "torch.meshgrid", "torch.nn.functional.leaky_relu",
    "torch.nn.functional.smooth_l1_loss", "torch.nn.functional.interpolate", "torch.nn.Linear", "torch.nn.BatchNorm2d",
    "torch.nn.Dropout", "torch.optim.Adam", "torch.Tensor.repeat", "torch.Tensor.view", "torch.Tensor.to",
    "torch.Tensor.item", "torch.distributed.scatter", "torch.distributed.broadcast", "torch.distributed.barrier",
    "torch.distributed.monitored_barrier", "torch.utils.data.DataLoader",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_draft_passes_but_for_the_marked_lines(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", name, "--root", str(tmp_path)]) == 0
    path = tmp_path / "mappings" / (name.replace(".", "/") + ".yaml")
    lines = path.read_text("utf-8").splitlines()
    assert f"{sum(MARK in line for line in lines)} lines" in capsys.readouterr().out
    loaded = load_registry(tmp_path)
    assert loaded.diagnostics, "the empty texts at least wait for a person"
    unmarked = [d for d in loaded.diagnostics if MARK not in lines[d.place.line - 1]]
    assert unmarked == []


def test_it_never_overwrites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", "torch.abs", "--root", str(tmp_path)]) == 0
    assert main(["new", "torch.abs", "--root", str(tmp_path)]) == 1
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "near"), [("torch.abss", "torch.abs"), ("torch.distributed.all_gathr", "all_gather")]
)
def test_a_wrong_name_gets_the_nearest(
    wrong: str, near: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", wrong, "--root", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert near in said
    assert not list((tmp_path / "mappings").rglob("*.yaml"))


def test_a_given_counterpart_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    arguments = ["new", "torch.distributed.all_gather", "mindspore.communication.comm_func.all_gather_into_tensor"]
    assert main([*arguments, "--print", "--root", str(tmp_path)]) == 0
    draft = capsys.readouterr().out
    assert 'tensor_list: "?"' in draft
    assert "returns: [result, handle]" in draft
