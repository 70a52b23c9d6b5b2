"""The program that is printed for a failing case fails with the wrong adapter and passes with the right one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import MUTATIONS, identity, mutate

from mapspore.adapter.module import module_path
from mapspore.cases.collective.plan import plan
from mapspore.pipeline import load_registry
from mapspore.verify.processes.jobs import Servers
from mapspore.verify.run import run
from mapspore.verify.script import script
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
EVERY = [plan(mapping) for mapping in load_registry(ROOT).registry.mappings if mapping.needs_ranks]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("torch.distributed.all_reduce", MUTATIONS["nothing delivered"]),  # judged by torch
        ("torch.distributed.all_gather", identity("same_shape")),  # judged by the contract
    ],
    ids=["value", "refusal"],
)
def test_it_reproduces_the_failure(name: str, change, tmp_path: Path) -> None:
    adapter = tmp_path / "adapter"
    shutil.copytree(ROOT / "adapter", adapter, ignore=shutil.ignore_patterns("__pycache__"))
    module = tmp_path / module_path(name)
    module.write_text(mutate(module.read_text("utf-8"), change)[0], "utf-8")
    with Servers() as servers:
        result = run(
            [each for each in EVERY if each.name == name], EVERY, [2], (), servers, quick=True, adapter=adapter
        )
    first = result.different[0]
    assert first.size == 2 and first.case["kind"] != "error"
    program = tmp_path / "reproduce.py"
    program.write_text(script(first), "utf-8")
    for folder, code, last in ((adapter, 1, "different"), (ROOT / "adapter", 0, "no difference")):
        done = subprocess.run(
            [sys.executable, str(program)], env=os.environ | {"PYTHONPATH": str(folder)}, cwd=tmp_path,
            capture_output=True, text=True, timeout=HANGS,
        )  # fmt: skip
        assert (done.returncode, done.stdout.splitlines()[-1]) == (code, last), done.stdout + done.stderr
