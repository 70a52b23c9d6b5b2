"""The program that is printed for a failing case fails with the wrong adapter and passes with the right one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import ROOT, adapter_with, module, mutated
from mutants_of_collectives import changes

from mapspore.cases.collective.plan import collective_plan
from mapspore.pipeline import load_registry
from mapspore.verify.collective.run import run
from mapspore.verify.processes.jobs import Servers, Settings
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
        ("broadcast_object_list", "decode does nothing", ""),
        ("recv", "wrong rank", "plain"),
    ],
    ids=["value", "refusal", "contract", "objects", "messages"],
)
def test_it_reproduces_the_failure(name: str, label: str, case: str, tmp_path: Path) -> None:
    (plan,) = (each for each in EVERY if each.name == f"torch.distributed.{name}")
    mutant = mutated(module(plan.name), [str(target) for target in plan.targets], label, changes)
    adapter = adapter_with(tmp_path / "adapter", {plan.name: mutant.text})
    with Servers() as servers:
        result = run([plan], EVERY, [2], Settings(servers, quick=True, adapter=adapter))
    first = next(each for each in result.different if case in each.case["id"])
    assert first.size == 2 and first.case["kind"] != "error"
    program = tmp_path / "reproduce.py"
    program.write_text(script(first), "utf-8")
    for folder, code, last in ((adapter, 1, "different"), (ROOT / "adapter", 0, "no difference")):
        done = subprocess.run(
            [sys.executable, str(program)], env=os.environ | {"PYTHONPATH": str(folder)}, cwd=tmp_path,
            capture_output=True, text=True, timeout=HANGS,
        )  # fmt: skip
        assert (done.returncode, done.stdout.splitlines()[-1]) == (code, last), done.stdout + done.stderr
