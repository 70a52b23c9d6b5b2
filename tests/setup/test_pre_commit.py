"""The hooks that we offer, installed and run by pre-commit itself, in a repository of somebody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from processes import HANGS

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parents[2]
NEEDED = (
    "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "generator", "adapter", "evidence", "facts",
    "mappings", "templates",
)  # fmt: skip
FINDING = "import torch.distributed as dist\n\ndist.monitored_barrier()\n"
CLEAN = "import torch.distributed as dist\n\ndist.barrier()\n"


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A repository with what an installation needs."""
    folder = tmp_path / "mapspore"
    folder.mkdir()
    for name in NEEDED:
        source = HOME / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copyfile(source, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "a version")
    return folder


def test_pre_commit_installs_and_runs_the_hooks(ours: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    hooks = [{"id": "mapspore-scan"}, {"id": "mapspore-migrate"}]
    config = {"repos": [{"repo": str(ours), "rev": git(ours, "rev-parse", "HEAD"), "hooks": hooks}]}
    (theirs / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), "utf-8")
    (theirs / "train.py").write_text(FINDING, "utf-8")
    (theirs / "notes.txt").write_text(FINDING, "utf-8")
    git(theirs, "init", "-q")
    git(theirs, "add", "-A")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"}

    def run() -> tuple[int, str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"]
        done = subprocess.run(
            command, cwd=theirs, env=environment, capture_output=True, encoding="utf-8", timeout=HANGS
        )
        return done.returncode, done.stdout + done.stderr

    code, said = run()
    assert code == 1 and "train.py:3:1: S113 breaks torch.distributed.monitored_barrier" in said, said
    assert "notes.txt" not in said and "mapspore migrate" in said
    (theirs / "train.py").write_text(CLEAN, "utf-8")
    code, said = run()
    assert code == 1 and "1 of 1 files that use torch can run on MindSpore after this" in said, said
    (theirs / "train.py").write_text(CLEAN.replace("torch.", "torchspore."), "utf-8")
    code, said = run()
    assert code == 0 and said.count("Passed") == 2, said
