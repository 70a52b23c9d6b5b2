"""The ways in: `make` with no fitting Python, its list of targets, and the pinned versions."""

from __future__ import annotations

import os
import re
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parent.parent.parent


def pins() -> dict[str, str]:
    lines = (HOME / "constraints.txt").read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_everything_installed_here_is_pinned() -> None:
    installed = {re.sub(r"[-_.]+", "-", d.name).lower(): d.version.split("+")[0] for d in distributions()}
    ours = {
        name: version
        for name, version in installed.items()
        if name not in ("mapspore", "torchspore", "pip", "setuptools", "wheel")
    }
    assert ours.items() <= pins().items()


def test_pins_are_sorted_and_exact() -> None:
    assert list(pins()) == sorted(pins())
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in pins().values())


def test_make_without_a_fitting_python_says_what_to_do(tmp_path: Path) -> None:
    """In a folder with the Makefile only, and no Python on the path."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((HOME / name).read_bytes())
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "find", "make", "mkdir"):
        found = next(Path(folder, name) for folder in os.get_exec_path() if Path(folder, name).exists())
        (programs / name).symlink_to(found)
    environment = {"PATH": str(programs)}
    done = subprocess.run(["make", "check"], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode != 0
    assert "error: no Python 3.11 or 3.12 with the venv module was found." in done.stderr
    assert "make PYTHON=" in done.stderr


def test_make_help_lists_every_target() -> None:
    done = subprocess.run(["make", "help"], cwd=HOME, capture_output=True, encoding="utf-8", check=True)
    listed = {line.split()[0] for line in done.stdout.splitlines()}
    phony = re.search(r"^\.PHONY: (.*)$", (HOME / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert phony is not None
    assert listed == set(phony[1].split())


def test_without_a_browser_make_says_how_to_get_one(tmp_path: Path) -> None:
    """Where nothing can be installed: no Chromium and no apt-get on the path."""
    (tmp_path / "Makefile").write_bytes((HOME / "Makefile").read_bytes())
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "find", "grep", "id", "make"):
        found = next(Path(folder, name) for folder in os.get_exec_path() if Path(folder, name).exists())
        (programs / name).symlink_to(found)
    environment = {"PATH": str(programs)}
    done = subprocess.run(["make", "browser"], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode != 0
    assert "error: the tests of the site need Chromium and a Chinese font." in done.stderr
    assert "sudo apt-get install -y --no-install-recommends chromium" in done.stderr
