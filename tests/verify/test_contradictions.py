"""A run can contradict an entry: what it says too much, too little or wrongly is named with its line.

The entries are those that a reviewer saw pass without a word, each with what he saw."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mapspore.cases.single.plan import call_plan
from mapspore.cli.main import main
from mapspore.pipeline import load_registry
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.single.run import run, run_entries
from mapspore.verify.summary import as_json
from mapspore.verify.write_evidence import write_evidence
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = {"torch": "2.13.0", "mindspore": "2.10.0", "python": "3.11"}
SUMMARY = "summary:\n  en: A test.\n  zh: 测试。\n"
ENTRIES = {
    # a bare draft: nothing is known that torch takes, so that both sides raise an error in every case
    "torch.clamp": "targets:\n  - mindspore: mindspore.mint.clamp\n",
    # no value is known for `shifts`
    "torch.roll": "targets:\n  - mindspore: mindspore.mint.roll\n",
    # limits that MindSpore does not have
    "torch.rot90": """verify:
  samples: {k: [1, 2], dims: [[0, 1]]}
targets:
  - mindspore: mindspore.ops.rot90
    dtypes: [float32]
""",
    # differences that are none, one that no case meets, and no tensor of torch's own sum that is too wide apart
    "torch.stack": """contract:
  reads: {tensors: {count: any}}
verify:
  samples: {dim: [0, 1, -1]}
targets:
  - mindspore: mindspore.ops.stack
    arguments: {tensors: {from: tensors, by: promote}, axis: {from: dim}}
    differs:
      - about: nan
        en: A nan becomes 7 in MindSpore.
        zh: nan 在 MindSpore 中变为 7。
      - about: gradient
        when: [empty_input]
        en: Of empty tensors MindSpore raises an error.
        zh: 张量为空时 MindSpore 报错。
      - about: dim
        when: [{above: 9}]
        en: MindSpore takes it.
        zh: MindSpore 接受。
""",
    # summands that cancel
    "torch.sum": """verify:
  samples: {dim: [0, -1, [0, 1]], keepdim: [true]}
targets:
  - mindspore: mindspore.ops.sum
    requires: {input: nonempty}
    differs:
      - about: empty_input
        en: The sum over no elements is 0 in PyTorch; MindSpore returns whatever lies in memory.
        zh: 对空张量求和时，PyTorch 得 0，MindSpore 返回内存中的任意值。
      - about: extreme_values
        en: MindSpore adds integers up as float64 on a CPU, which cannot hold the largest.
        zh: MindSpore 在 CPU 上以 float64 累加整数，无法精确表示最大的整数。
""",
    # a method whose first counterpart is a function: its tensor was passed twice
    "torch.Tensor.repeat": """verify:
  calls: [{self: [2, 3], repeats: [2, 1]}, {self: [3], repeats: [4, 2]}]
targets:
  - mindspore: mindspore.ops.tile
    arguments: {input: {from: self}, dims: {from: repeats, by: as_tuple}}
    differs:
      - about: empty_input
        en: PyTorch repeats an empty tensor; MindSpore may raise an error.
        zh: PyTorch 可重复空张量，MindSpore 可能报错。
""",
    # MindSpore ends the process where it differentiates the median of nothing
    "torch.median": """contract:
  reads: {input: {dtypes: [float]}}
verify:
  samples: {dim: [0, -1], keepdim: [true]}
  distinct: [input]
targets:
  - mindspore: mindspore.ops.median
    returns: [values, indices]
    forms:
      - lacks: [dim]
        arguments: {input: {from: input, by: flatten}, axis: {value: 0}}
        keep: [keepdims]
        hand_back: values
      - has: [dim]
        arguments: {axis: {from: dim}, keepdims: {from: keepdim}}
    dtypes: [float32, float64]
""",
    # a number where the shape of a tensor belongs
    "torch.cat": """contract:
  reads: {tensors: {count: any}}
verify:
  calls: [{tensors: [[2, 3], 1.5], dim: 0}]
targets:
  - mindspore: mindspore.mint.cat
""",
}


CLASS = "mappings/torch/Tensor.yaml"
"""What methods belong to; it is the runtime's, and no case of its own is run here."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `verify` says of all entries at once, without the help of PyTorch's own tests."""
    root = tmp_path_factory.mktemp("registry")
    for name, text in ENTRIES.items():
        file = root / "mappings" / f"{name.replace('.', '/')}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"torch: {name}\n{SUMMARY}{text}", "utf-8")
    shutil.copyfile(ROOT / CLASS, root / CLASS)
    assert main(["fix", "--root", str(root)]) == 0
    shutil.copytree(ROOT / "adapter", root / "adapter", ignore=shutil.ignore_patterns("__pycache__"))
    assert main(["generate", "--root", str(root)]) == 0
    registry = load_registry(root).registry
    with Servers() as servers:
        settings = Settings(servers, adapter=root / "adapter", draws=False)
        result, plans = run_entries([each for each in registry.mappings if each.name in ENTRIES], settings)
    write_evidence(result, plans, (), VERSIONS, root, registry)
    data: dict[str, Any] = json.loads(as_json(result, plans, (), VERSIONS, "all"))
    data["evidence"] = sorted(file.stem for file in (root / "evidence").rglob("*.json"))
    data["adapter"] = str(root / "adapter")
    data["lines"] = {file.stem: file.read_text("utf-8").split("\n") for file in (root / "mappings").rglob("*.yaml")}
    return data


def said(found: dict[str, Any], name: str) -> dict[str, list[str]]:
    """By code, the lines of the entry that are named."""
    lines: dict[str, list[str]] = {}
    for each in found["contradictions"]:
        if each["entry"] == f"torch.{name}":
            line = found["lines"][name.rpartition(".")[2]][each["line"] - 1]
            lines.setdefault(each["code"], []).append(line.strip())
    return lines


def sentences(found: dict[str, Any], name: str, code: str) -> list[str]:
    wanted = (f"torch.{name}", code)
    return [each["sentence"]["en"] for each in found["contradictions"] if (each["entry"], each["code"]) == wanted]


def test_errors_on_both_sides_verify_nothing(found: dict[str, Any]) -> None:
    codes = said(found, "clamp")
    assert set(codes) == {"V101", "V103"} and codes["V103"] == ["- mindspore: mindspore.mint.clamp"]
    assert "torch.clamp(input" in sentences(found, "clamp", "V101")[0]


def test_an_overload_without_a_case_is_named_with_what_is_missing(found: dict[str, Any]) -> None:
    assert said(found, "roll")["V102"] == ["torch: torch.roll"]
    (sentence,) = sentences(found, "roll", "V102")
    assert "`torch.roll(input, shifts, dims=…)`" in sentence and sentence.endswith("no value is known for shifts.")


def test_a_refusal_without_need_is_named_with_its_line(found: dict[str, Any]) -> None:
    assert said(found, "rot90") == {"V201": ["dtypes: [float32]"] * len(sentences(found, "rot90", "V201"))}
    kept_out = {sentence.split("keeps out ")[1].split(",")[0] for sentence in sentences(found, "rot90", "V201")}
    assert {"int64", "float64", "bool", "complex64"} <= kept_out


def test_a_stated_difference_is_tried(found: dict[str, Any]) -> None:
    assert said(found, "stack") == {"V301": ["- about: nan"], "V302": ["- about: dim"]}
    assert not [each for each in found["different"] if each["entry"] == "torch.stack"]


def test_summands_that_cancel_are_no_difference_and_an_empty_sum_is_one(found: dict[str, Any]) -> None:
    assert not said(found, "sum") and not [each for each in found["different"] if each["entry"] == "torch.sum"]
    assert "sum" in found["evidence"]


def test_a_method_with_a_function_as_counterpart_is_called_with_one_tensor(found: dict[str, Any]) -> None:
    (entry,) = [each for each in found["entries"] if each["torch"] == "torch.Tensor.repeat"]
    assert entry["targets"]["ops"]["equal"] > 20 and not said(found, "Tensor.repeat")


def test_a_broken_entry_is_named_and_costs_the_others_nothing(found: dict[str, Any]) -> None:
    assert said(found, "cat") == {"V104": ["torch: torch.cat"]}


def test_a_crash_is_a_result_with_a_program_and_costs_no_other_case(found: dict[str, Any], tmp_path: Path) -> None:
    crashed = [each for each in found["different"] if each["outcome"] == "crashed"]
    assert {each["entry"] for each in crashed} == {"torch.median"} and "SIGSEGV" in crashed[0]["detail"]
    (entry,) = [each for each in found["entries"] if each["torch"] == "torch.median"]
    assert entry["targets"]["ops"]["crashed"] == len([each for each in crashed if each["target"] == "ops"])
    assert entry["targets"]["ops"]["equal"] > 30
    program = tmp_path / "reproduce.py"
    program.write_text(crashed[0]["script"], "utf-8")
    environment = os.environ | {"PYTHONPATH": found["adapter"]}
    done = subprocess.run([sys.executable, str(program)], env=environment, cwd=tmp_path, timeout=HANGS)
    assert done.returncode < 0


def test_outcomes_do_not_depend_on_which_entries_run_together() -> None:
    mappings = {mapping.name: mapping for mapping in load_registry(ROOT).registry.mappings}
    names = ("torch.nn.Linear", "torch.optim.Adam", "torch.nn.BatchNorm2d")
    with Servers() as servers:
        settings = Settings(servers, adapter=ROOT / "adapter")
        together = run([call_plan(mappings[name]) for name in names], settings)
        alone = run([call_plan(mappings[names[0]])], settings)
    mine = [(f.case["id"], f.target, f.kind) for f in together.findings if f.entry == names[0]]
    assert mine == [(f.case["id"], f.target, f.kind) for f in alone.findings]
