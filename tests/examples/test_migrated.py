"""`mapspore migrate` makes a program for MindSpore of one for torch, and both give the same loss curve."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from processes import HANGS, torch_ended

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).resolve().parents[2]
SOURCE = HOME / "examples" / "least_squares" / "train.py"
RANKS = "2"
LAUNCHERS = {
    "torch": ["torch.distributed.run", "--standalone", "--nproc-per-node", RANKS],
    "mindspore": ["torchspore.launch", "--nproc", RANKS],
}


def mapspore(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cwd / "cache")}
    command = [sys.executable, "-m", "mapspore", *arguments, "--root", str(HOME)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=True)


def curve(side: str, program: Path, folder: Path) -> list[float]:
    written = folder / f"{side}.json"
    command = [sys.executable, "-m", *LAUNCHERS[side], str(program), "--curve", str(written)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=HANGS)
    ended = torch_ended(done.returncode, done.stderr) if side == "torch" else done.returncode == 0
    assert ended, done.stdout + done.stderr
    found: list[float] = json.loads(written.read_text("utf-8"))
    return found


def test_a_migrated_program_runs_and_gives_the_same_curve(tmp_path: Path) -> None:
    program = tmp_path / "train.py"
    shutil.copyfile(SOURCE, program)
    told = mapspore("migrate", "train.py", "--write", cwd=tmp_path).stderr
    assert [line for line in told.splitlines() if " … " not in line] == [  # a slow machine tells how long it reads
        "train.py: places changed: 3",
        "1 of 1 files that use torch can run on MindSpore now; 1 of 1 programs.",
    ]
    old, new = SOURCE.read_text("utf-8").splitlines(), program.read_text("utf-8").splitlines()
    changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
    assert changed == [
        ("import torch", "import torchspore as torch"),
        ("import torch.distributed as dist", "import torchspore.distributed as dist"),
        (
            "from torch.utils.data.distributed import DistributedSampler",
            "from torchspore.utils.data.distributed import DistributedSampler",
        ),
    ]
    before, after = curve("torch", SOURCE, tmp_path), curve("mindspore", program, tmp_path)
    assert len(before) == 20 and before[-1] < before[0] / 5
    assert after == pytest.approx(before, rel=1e-4)
