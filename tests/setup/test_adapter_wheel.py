"""The adapter's wheel beside MindSpore: what is installed runs, without the generator."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

HOME = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import sys
import torchspore as torch
import torchspore.distributed
assert torch.abs(torch.full((2,), -3.0)).asnumpy().tolist() == [3, 3]
assert not [name for name in sys.modules if name.split(".")[0] in ("mapspore", "torch", "pydantic", "libcst", "yaml")]
print(torch.__file__)
"""


def test_the_wheel_runs_on_mindspore_alone(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), HOME / "adapter"]
    subprocess.run(build, check=True, capture_output=True, timeout=HANGS)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd="/", capture_output=True, encoding="utf-8", timeout=HANGS,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "GLOG_v": "3"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(tmp_path)
