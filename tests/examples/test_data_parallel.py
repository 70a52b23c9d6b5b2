"""The data-parallel program and its port, which is what `migrate` makes of it; both give the same curve."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from mapspore.pages.site.example_page import AFTER, BEFORE, BY_HAND, PROGRAM, SIDES
from processes import HANGS, torch_ended

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).parents[2]
FOLDER = HOME / "examples" / "data_parallel"


def test_the_port_is_what_the_tool_makes_of_the_program_beside_the_model(tmp_path: Path) -> None:
    shutil.copyfile(FOLDER / BEFORE / PROGRAM, tmp_path / PROGRAM)
    shutil.copyfile(FOLDER / AFTER / BY_HAND, tmp_path / BY_HAND)
    command = [sys.executable, "-m", "mapspore", "migrate", ".", "--write", "--root", str(HOME)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    before, after = ((FOLDER / side / PROGRAM).read_bytes() for side in SIDES)
    assert (tmp_path / PROGRAM).read_bytes() == after
    assert before.count(b"dist.") >= 10
    pairs = zip(before.splitlines(), after.splitlines(), strict=True)
    assert [(old, new) for old, new in pairs if old != new] == [
        (b"import torch.distributed as dist", b"import torchspore.distributed as dist"),
        (
            b"from torch.utils.data.distributed import DistributedSampler",
            b"from torchspore.utils.data.distributed import DistributedSampler",
        ),
    ]


def test_the_program_stays_while_its_model_does(
    tmp_path: Path, without_entries: Callable[[Iterable[str]], Path]
) -> None:
    shutil.copytree(FOLDER / BEFORE, tmp_path / BEFORE)
    root = without_entries(["torch.save"])
    command = [sys.executable, "-m", "mapspore", "migrate", BEFORE, "--check", "--root", str(root)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "  torch.save (1 place): no entry yet\n" in done.stderr, done.stderr


def test_what_is_ported_by_hand_does_not_communicate() -> None:
    for side in SIDES:
        assert "dist" not in (FOLDER / side / BY_HAND).read_text("utf-8")
    assert "torch" not in (FOLDER / AFTER / BY_HAND).read_text("utf-8")


def test_both_give_the_curve_that_the_page_shows(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "compare.py"), "--check", "--ranks", "2,4", "--epochs", "4"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(torch_ended(1, said) for said in done.stderr.split("processes failed:\n")[1:]), done.stderr
    assert done.stdout.count("apart") == 2 and done.stdout.count("from what is written") == 4
