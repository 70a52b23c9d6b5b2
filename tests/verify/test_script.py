"""The program that is printed for a failing case fails with the wrong adapter and passes with the right one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import ROOT, adapter_with, module, mutated
from mutants_of_collectives import changes

from mapspore.cases.collective.entry_cases import collective_cases
from mapspore.cases.collective.plan import collective_plan
from mapspore.pipeline import load_registry
from mapspore.verify.collective.run import run
from mapspore.verify.processes.jobs import Servers, Settings
from mapspore.verify.result import Finding
from mapspore.verify.script import script
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

EVERY = [collective_plan(mapping) for mapping in load_registry(ROOT).registry.mappings if mapping.needs_ranks]


@pytest.mark.parametrize(
    ("name", "label", "case"),
    [
        ("all_reduce", "nothing delivered", ""),
        ("all_gather", "same_shape does nothing", ""),  # a refusal
        ("all_gather_into_tensor", "nothing delivered", "stacked"),  # judged by the contract
    ],
    ids=["value", "refusal", "contract"],
)
def test_it_reproduces_the_failure(name: str, label: str, case: str, tmp_path: Path) -> None:
    (plan,) = (each for each in EVERY if each.name == f"torch.distributed.{name}")
    mutant = mutated(module(plan.name), [str(target) for target in plan.targets], label, changes)
    adapter = adapter_with(tmp_path / "adapter", {plan.name: mutant.text})
    with Servers() as servers:
        result = run([plan], EVERY, [2], Settings(servers, quick=True, adapter=adapter))
    first = next(each for each in result.different if case in each.case["id"])
    assert first.size == 2 and first.case["kind"] != "error"
    assert ended(script(first), adapter, tmp_path) == (1, "different")
    assert ended(script(first), ROOT / "adapter", tmp_path) == (0, "no difference")


@pytest.mark.parametrize(
    ("name", "label"),
    [("gather_object", "plain"), ("recv", "view-written-strided"), ("all_reduce", "op-foreign-MAX")],
    ids=["objects", "messages", "torch's own operator"],
)
def test_it_finds_nothing_where_there_is_nothing(name: str, label: str, tmp_path: Path) -> None:
    (plan,) = (each for each in EVERY if each.name == f"torch.distributed.{name}")
    case = next(each for each in collective_cases(plan, 2, EVERY) if each["id"] == f"{plan.name}/{label}")
    target = next(iter(plan.targets))
    finding = Finding(plan.name, case | {"target": target}, 2, target, "different")
    assert ended(script(finding), ROOT / "adapter", tmp_path) == (0, "no difference")


def ended(text: str, adapter: Path, folder: Path) -> tuple[int, str]:
    """How a program ends with an adapter, and the last line that it prints."""
    program = folder / "reproduce.py"
    program.write_text(text, "utf-8")
    environment = os.environ | {"PYTHONPATH": str(adapter)}
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, cwd=folder, capture_output=True, text=True, timeout=HANGS
    )
    assert done.stdout, done.stderr
    return done.returncode, done.stdout.splitlines()[-1]
