"""The wheel, built and installed into an empty environment, answers outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parent.parent.parent
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(HOME)]
    subprocess.run(build, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel and its default dependencies."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    constraints = str(HOME / "constraints.txt")
    install = [folder / "bin/pip", "install", "-qq", "--disable-pip-version-check", "-c", constraints, wheel]
    subprocess.run(install, check=True, capture_output=True)
    return folder


@pytest.fixture
def run(environment: Path) -> Run:
    """Runs a program of the environment, far from the checkout."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def start(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(environment / "bin" / program), *arguments]
        return subprocess.run(command, cwd="/", env=surroundings, capture_output=True, encoding="utf-8")

    return start


def test_the_wheel_holds_both_packages_and_the_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {
        f"mapspore/data/{path.relative_to(HOME).as_posix()}"
        for folder in ("mappings", "facts", "templates")
        for path in (HOME / folder).rglob("*")
        if path.is_file()
    }
    assert data <= names
    assert {"mapspore/cli/main.py", "torchspore/__init__.py", "torchspore/distributed/__init__.py"} <= names
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"mapspore", "torchspore"}


def test_show_by_short_name(run: Run) -> None:
    done = run("mapspore", "show", "all_gather", "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("torch.distributed.all_gather\n")
    assert "mindspore.mint.distributed.all_gather" in done.stdout


def test_show_by_alias_as_json(run: Run) -> None:
    done = run("mapspore", "show", "dist.all_gather", "--lang", "zh", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["torch"] == "torch.distributed.all_gather"
    assert answer["verdict"] and answer["targets"][0]["parameters"]


def test_export(run: Run) -> None:
    done = run("mapspore", "export", "json")
    assert (done.returncode, done.stderr) == (0, "")
    names = {entry["torch"] for entry in json.loads(done.stdout)["entries"]}
    paths = (path.relative_to(HOME / "mappings").with_suffix("") for path in (HOME / "mappings").rglob("*.yaml"))
    assert names == {".".join(path.parts) for path in paths}


def test_check_of_what_is_installed(run: Run) -> None:
    assert run("mapspore", "check").returncode == 0


def test_version(run: Run, wheel: Path) -> None:
    assert run("mapspore", "--version").stdout == f"mapspore {wheel.name.split('-')[1]}\n"


def test_the_adapter_without_mindspore_says_what_is_missing(run: Run) -> None:
    done = run("python", "-c", "import torchspore.distributed")
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith("ImportError: ") and "MindSpore" in last and "pip install" in last
