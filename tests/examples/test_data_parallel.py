"""The data-parallel program and its port: one import apart where they communicate, and the same curve."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mapspore.example import AFTER, BEFORE, changed_imports, distributed_part

FOLDER = Path(__file__).parents[2] / "examples" / "data_parallel"


def test_the_distributed_part_differs_in_the_imports_alone() -> None:
    before, after = (FOLDER.joinpath(name).read_text("utf-8") for name in (BEFORE, AFTER))
    assert distributed_part(before) == distributed_part(after)
    assert distributed_part(before).count("dist.") >= 5
    removed = [line[2:] for line in changed_imports(before, after) if line.startswith("-")]
    added = [line[2:] for line in changed_imports(before, after) if line.startswith("+")]
    assert len(removed) == 2 and added == [line.replace("torch.", "torchspore.") for line in removed]


def test_both_give_the_curve_that_the_page_shows(tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / "compare.py"), "--check", "--ranks", "2,4", "--epochs", "4"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("apart") == 2 and done.stdout.count("from what is written") == 4
