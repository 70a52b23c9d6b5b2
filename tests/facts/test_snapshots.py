"""Snapshots as files: round trips, looking up names, and files that are none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mapspore.base.diagnostics import Refusal
from mapspore.facts import snapshot
from mapspore.facts.snapshot import Api, Deprecation, Facts, Note, Parameter, Signature
from mapspore.text.phrases import said

ROOT = Path(__file__).resolve().parents[2]
FILES = ["torch-2.13.0", "mindspore-2.10.0"]
FULL = Api(
    name="torch.full",
    kind="class",
    home="torch.other",
    places=("torch.deep.full", "torch.deeper.full"),
    see="torch.details",
    bases=("torch.Base",),
    protocol=("call", "enter"),
    forms=(
        Signature(
            (Parameter("a"), Parameter("b", "keyword_only", "None", "1", "int | None")), "Tensor", ("x", "y"), True
        ),
        Signature(),
    ),
    call=(Signature((Parameter("args", "var_positional"),)),),
    returns="Tensor",
    returns_doc="“Quoted” 张量",
    fields=("x", "y"),
    deprecated=Deprecation(since="2.9.0"),
    platforms=("Ascend",),
    notes=(
        Note("change", "After version 2.9.0, `a` will be renamed", version="2.9.0"),
        Note("mode", "“Quoted” in graph mode", "a", platforms=("Ascend",), modes=("graph",), dtypes=("bool", "int8")),
    ),
)


@pytest.mark.parametrize("name", FILES)
def test_the_committed_files_survive_a_round_trip(name: str) -> None:
    text = (ROOT / "facts" / f"{name}.json").read_text(encoding="utf-8")
    facts = snapshot.parse(text)
    assert snapshot.dump(facts.framework, facts.version, facts, facts.modules) == text
    assert facts.names == tuple(sorted(facts.names))
    assert text.count("\n") == len(facts) + 2, "one line per API"
    assert len(text.encode()) < 4_000_000


@pytest.mark.parametrize(
    "api", [FULL, Api("torch.bare", "function"), Api("torch.x", "function", deprecated=Deprecation())]
)
def test_every_field_survives_a_round_trip(api: Api) -> None:
    facts = snapshot.parse(snapshot.dump("torch", "1", [api]))
    assert facts.get(api.name) == api
    assert facts.get(api.name) is facts.get(api.name), "built once"


def test_a_line_leaves_out_what_is_empty() -> None:
    form = Signature((Parameter("a"), Parameter("b", default="None")))
    text = snapshot.dump("torch", "1", [Api("torch.b", "function", forms=(form,)), Api("torch.a", "constant")])
    assert text.splitlines() == [
        '{"format":1,"framework":"torch","version":"1","apis":[',
        '{"name":"torch.a","kind":"constant"},',
        '{"name":"torch.b","kind":"function","forms":[{"parameters":[{"name":"a"},{"name":"b","default":"None"}]}]}',
        "]}",
    ]


def test_modules_stand_in_the_head() -> None:
    text = snapshot.dump(
        "torch", "1", [Api("torch.a", "constant")], {"torch.y": False, "torch": True, "torch.x": False}
    )
    assert text.splitlines()[0] == (
        '{"format":1,"framework":"torch","version":"1","modules":["torch"],"others":["torch.x","torch.y"],"apis":['
    )
    assert snapshot.parse(text).modules == {"torch.x": False, "torch.y": False, "torch": True}


def test_a_text_in_another_layout_is_read_too() -> None:
    text = snapshot.dump("torch", "1", [FULL, Api("torch.other", "class")], {"torch": True})
    laid_out = json.dumps(json.loads(text), indent=2)
    facts = snapshot.parse(laid_out)
    assert facts.get("torch.full") == FULL
    assert facts.resolve("torch.deep.full") == "torch.other"
    assert snapshot.dump(facts.framework, facts.version, facts, facts.modules) == text


def test_a_damaged_line_is_refused_when_it_is_read() -> None:
    facts = snapshot.parse(snapshot.dump("torch", "1", [Api("torch.a", "class")]).replace('"class"', '"class'))
    with pytest.raises(Refusal, match="C303"):
        facts.get("torch.a")


def test_required_is_apart_from_none() -> None:
    assert Parameter("a").required
    assert not Parameter("a", default="None").required
    assert not Parameter("args", "var_positional").required


def test_names_resolve_to_homes_and_to_inherited_members(torch_facts: Facts) -> None:
    assert torch_facts.resolve("torch.abs") == "torch.abs"
    assert torch_facts.resolve("torch.absolute") == "torch.abs"
    assert torch_facts.resolve("torch.optim.Adam.step") == "torch.optim.Optimizer.step"
    assert torch_facts.resolve("torch.nn.Linear.state_dict") == "torch.nn.Module.state_dict"
    assert torch_facts.resolve("torch.nn.Parameter.add_") == "torch.Tensor.add_"
    assert torch_facts.resolve("torch.nowhere") is None
    assert torch_facts.resolve("torch.optim.Adam.nothing") is None
    assert "torch.abs" in torch_facts
    assert torch_facts.get("torch.nowhere") is None


def test_every_name_that_is_mentioned_exists(torch_facts: Facts, mindspore_facts: Facts) -> None:
    for facts in (torch_facts, mindspore_facts):
        for api in facts:
            for name in (api.home, api.see, *api.bases):
                assert name is None or name in facts, (api.name, name)
            if api.home:
                target = facts.get(api.home)
                assert target is not None and target.home is None, "homes do not chain"
                assert target.kind == api.kind


def test_statistics(torch_facts: Facts, mindspore_facts: Facts) -> None:
    counts = snapshot.statistics(torch_facts)
    assert counts.total == len(torch_facts) == sum(number for _, number in counts.kinds)
    assert [kind for kind, _ in counts.kinds] == ["class", "constant", "function", "method", "property"]
    assert len(counts.unsigned) <= 30
    assert counts.places > 1000 and counts.notes == ()
    assert dict(snapshot.statistics(mindspore_facts).notes).keys() == {
        "change", "experimental", "mode", "platform", "startup"
    }  # fmt: skip
    assert snapshot.statistics(mindspore_facts).unsigned == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "{",
        '{"format":1}',
        '{"format":1,"framework":"t","version":"1","apis":[1]}',
        "[" * 99_999,
    ],
    ids=["empty", "list", "null", "no keys", "cut off", "half", "no records", "deep"],
)
def test_what_is_no_snapshot_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Refusal) as caught:
        snapshot.load(file)
    assert said(caught.value, "en")[0] == f"`{file}` is not a facts snapshot."
    assert said(caught.value, "zh")[0] == f"`{file}` 不是快照文件。"


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(Refusal, match="C303"):
        snapshot.load(tmp_path / "x.json")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"C302.*missing"):
        snapshot.load(tmp_path / "x.json")


def test_another_format_is_refused() -> None:
    text = json.dumps({"format": 2, "framework": "torch", "version": "1", "apis": []})
    with pytest.raises(Refusal, match=r"C304.*'found': 2, 'known': 1"):
        snapshot.parse(text, "x.json")


@pytest.mark.processes
def test_loading_imports_no_framework_and_no_model() -> None:
    program = (
        "import sys; from mapspore.facts import snapshot; snapshot.load(sys.argv[1]).get('torch.abs'); "
        "print([name for name in ('pydantic', 'yaml', 'torch', 'mindspore', 'ast') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, str(ROOT / "facts" / "torch-2.13.0.json")],
        env={"PYTHONPATH": str(ROOT / "generator")}, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    # dataclasses brings ast along, through inspect.
    assert done.stdout.strip() in ("[]", "['ast']")
