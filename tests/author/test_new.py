"""`mapspore new` is tested by running it: its draft passes `check` but for the lines marked as judgement."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from mapspore.author.draft import MARK, counterparts, skeleton
from mapspore.check.check import check
from mapspore.check.rules.names import entry_path
from mapspore.check.rules.signatures import CALLABLE
from mapspore.cli.main import main
from mapspore.entry.load import Source, decode
from mapspore.entry.parse import parse
from mapspore.entry.yaml_events import data_of
from mapspore.pipeline import load_facts, load_registry
from mapspore.resolve.resolve import resolve

ROOT = Path(__file__).resolve().parents[2]

NAMES = [
    "torch.abs", "torch.cat", "torch.std", "torch.var", "torch.median", "torch.max", "torch.argmin", "torch.sort",
    "torch.topk", "torch.full", "torch.arange", "torch.einsum", "torch.meshgrid", "torch.nn.functional.leaky_relu",
    "torch.nn.functional.smooth_l1_loss", "torch.nn.functional.interpolate", "torch.nn.Linear", "torch.nn.BatchNorm2d",
    "torch.nn.Dropout", "torch.optim.Adam", "torch.Tensor.repeat", "torch.Tensor.view", "torch.Tensor.to",
    "torch.Tensor.item", "torch.distributed.scatter", "torch.distributed.broadcast", "torch.distributed.barrier",
    "torch.distributed.all_reduce", "torch.distributed.monitored_barrier", "torch.utils.data.DataLoader",
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


TORCH, MINDSPORE = load_facts(ROOT)
SIGNED = [
    api
    for name in TORCH.names
    if (api := TORCH.get(name)) and api.name == name and (api.forms or api.kind not in CALLABLE)
]
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_a_draft_of_any_api_passes_but_for_the_marked_lines(part: int) -> None:
    """Functions, classes, methods, properties, constants; overloads, variadics, keywords as names: all of torch."""
    for api in SIGNED[part::PARTS]:
        source = Source(entry_path(api.name))
        text = skeleton(api, counterparts(api, MINDSPORE), TORCH, MINDSPORE)
        assert decode(text.encode(), source) == []
        source.data, problems = data_of(source.text, source.path)
        entry, more = parse(source)
        assert entry is not None and not problems and not more, text
        found = check(resolve([(source, entry)], TORCH, MINDSPORE))
        lines = text.splitlines()
        assert [d for d in found if MARK not in lines[d.place.line - 1]] == [], text


def test_without_a_signature_there_is_no_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", "torch.dtype", "--root", str(tmp_path)]) == 1
    assert "The facts know no signature of `torch.dtype`" in capsys.readouterr().err
    assert not list((tmp_path / "mappings").rglob("*.yaml"))


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
    assert "tensor_list: unsupported" in draft
    assert "returns: [result, handle]" in draft


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("dist.broadcast", "torch.distributed.broadcast"),
        ("distributed.broadcast", "torch.distributed.broadcast"),
        ("F.gelu", "torch.nn.functional.gelu"),
        ("abs", "torch.abs"),
        ("leaky_relu_", "torch.nn.functional.leaky_relu_"),
    ],
)
def test_short_names(given: str, meant: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", given, "--print", "--root", str(tmp_path)]) == 0
    assert f"\ntorch: {meant}\n" in capsys.readouterr().out


def test_a_short_counterpart_and_what_it_returns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`comm_func.broadcast` has no `async_op`, so it returns no handle."""
    (tmp_path / "mappings").mkdir()
    arguments = ["new", "dist.broadcast", "comm_func.broadcast", "mint.distributed.broadcast"]
    assert main([*arguments, "--print", "--root", str(tmp_path)]) == 0
    draft = capsys.readouterr().out
    first, second = draft.split("  - mindspore: ")[1:]
    assert first.startswith("mindspore.communication.comm_func.broadcast\n") and "returns: [result]" in first
    assert second.startswith("mindspore.mint.distributed.broadcast\n") and "returns: [handle]" in second


@pytest.mark.parametrize(
    ("names", "proposed"),
    [
        (["torch.cat"], ["aliases: [torch.concat, torch.concatenate]"]),
        (["torch.linspace", "mint.linspace"], ["start: {from: start, by: bool_as_int}"]),
        (["torch.optim.Adagrad", "nn.Adagrad"], ["weight_decay: {from: weight_decay, by: as_float}"]),
        (["torch.nanmedian", "ops.median"], ["returns: [values, indices]", "lacks: [dim]", "hand_back: values"]),
        (["torch.sort", "ops.sort"], ["stable: unsupported"]),
        (["torch.topk", "ops.topk"], ["largest: {from: largest, with: input, by: smallest_by_negation}"]),
    ],
)
def test_what_a_draft_proposes(
    names: list[str], proposed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", *names, "--print", "--root", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line in proposed:
        assert any(line in each for each in lines), line


def test_a_word_is_proposed_only_for_the_targets_that_need_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", "torch.topk", "mint.topk", "--print", "--root", str(tmp_path)]) == 0
    assert "smallest_by_negation" not in capsys.readouterr().out


def test_a_name_that_several_have_is_asked_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", "query", "--print", "--root", str(tmp_path)]) == 1
    assert (
        "Did you mean `torch.Event.query`, `torch.Stream.query`, `torch.cuda.Event.query`?" in capsys.readouterr().err
    )


def test_another_place_of_an_api_is_understood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", "torch.nn.modules.linear.Linear", "--print", "--root", str(tmp_path)]) == 0
    assert "\ntorch: torch.nn.Linear\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (
            ["torch._foreach_add_"],
            "`torch._foreach_add_` is a private name of torch; the facts list public names only.",
        ),
        (["torch.cuda"], "`torch.cuda` is a module of torch, not an API."),
        (["torch.ops.aten.mm"], "The facts do not cover the module `torch.ops`, so nothing is known of"),
        (["torch.abs", "mindspore.ops_generate.x"], "The facts do not cover the module `mindspore.ops_generate`,"),
        (
            ["torch.abs", "mindspore._c_expression.x"],
            "is a private name of MindSpore; the facts list public names only.",
        ),
    ],
)
def test_a_name_that_is_no_api_is_told_what_it_is(
    names: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mappings").mkdir()
    assert main(["new", *names, "--print", "--root", str(tmp_path)]) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("where", [".", "mappings", ".."])
@pytest.mark.parametrize("given", [True, False])
def test_the_command_that_it_prints_works(
    where: str, given: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "my registry"
    (root / "mappings").mkdir(parents=True)
    (root / "mkdocs.yml").write_text("")
    monkeypatch.chdir(root / where)
    if not given and where == "..":
        monkeypatch.chdir(root)
    assert main(["new", "torch.abs", *(["--root", os.path.relpath(root)] if given else [])]) == 0
    command = capsys.readouterr().out.split("`")[1]
    assert main(shlex.split(command)[1:]) == 1
    assert "M204" in capsys.readouterr().out


def _leaves(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """What an entry states, apart from texts and from what it is verified with."""
    if isinstance(node, dict):
        for key, value in node.items():
            if str(key) not in TEXTS:
                yield from _leaves(value, (*path, str(key)))
    elif isinstance(node, list):
        for item in node:
            name = item.get("mindspore", "") if isinstance(item, dict) else ""
            yield from _leaves(item, (*path, str(name)))
    else:
        yield (*path, str(node))


TEXTS = {
    "en", "zh", "note", "summary", "differs", "contract", "verify", "related", "migrate", "methods", "only", "dtypes",
    "source", "corrects",
}  # fmt: skip
SHAPES = [name for name in NAMES if not name.startswith("torch.distributed.")]


def test_most_of_an_entry_is_in_its_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a person adds is judgement: how few of the keys of the final entries were missing from their drafts, where
    others only waited for a value."""
    (tmp_path / "mappings").mkdir()
    wanted = missing = 0
    for name in SHAPES:
        path = Path("mappings", *name.split(".")).with_suffix(".yaml")
        final = {leaf[:-1] for leaf in _leaves(yaml.safe_load((ROOT / path).read_text("utf-8")))}
        targets = [target["mindspore"] for target in yaml.safe_load((ROOT / path).read_text("utf-8"))["targets"]]
        assert main(["new", name, *targets, "--print", "--root", str(tmp_path)]) == 0
        drafted = {leaf[:-1] for leaf in _leaves(yaml.safe_load(capsys.readouterr().out))}
        wanted += len(final)
        missing += len(final - drafted)
    assert missing / wanted < 0.27, f"{missing} of {wanted}"
