"""The two wheels, each built and installed into an empty environment of every Python that is supported and found here:
`mapspore` answers outside the checkout, and `torchspore` brings nothing but NumPy.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from processes import HANGS

pytestmark = pytest.mark.processes

HOME = Path(__file__).resolve().parent.parent.parent
PROJECTS = {"mapspore": HOME, "torchspore": HOME / "adapter"}
SUPPORTED = ("3.11", "3.12")
Run = Callable[..., subprocess.CompletedProcess[str]]


def found(version: str) -> Path | None:
    """A Python of a version that can make environments: the one that runs this, one on the path, or one of pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    places = [Path(folder, f"python{version}") for folder in os.get_exec_path()]
    places += sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
    asked = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    for place in (Path(sys.executable), *places):
        if place.is_file():
            done = subprocess.run([place, "-c", asked], capture_output=True, encoding="utf-8", timeout=HANGS)
            if done.stdout.strip() == version:
                return place
    return None


class Wheels(NamedTuple):
    mapspore: Path
    torchspore: Path


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    made = []
    for name, project in PROJECTS.items():
        folder = tmp_path_factory.mktemp(name)
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(project)]
        subprocess.run(build, check=True, capture_output=True, timeout=HANGS)
        made += folder.glob("*.whl")
    return Wheels(*made)


PYTHONS = {version: place for version in SUPPORTED if (place := found(version)) is not None}
"""What this machine has; the one that runs the tests is always among them."""


@pytest.fixture(scope="module", params=PYTHONS)
def python(request: pytest.FixtureRequest) -> Path:
    return PYTHONS[request.param]


def test_the_supported_versions_are_those_that_are_tried_where_they_are_found() -> None:
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in PYTHONS
    for project in PROJECTS.values():
        declared = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
        assert declared == ">=3.11,<3.13"
    print("wheels are tried with Python", *PYTHONS)


def installed(python: Path, wheel: Path, folder: Path) -> Run:
    """An empty environment with a wheel and its default dependencies; runs a program of it, far from the checkout."""
    subprocess.run([python, "-m", "venv", folder], check=True, timeout=HANGS)
    options = ["-qq", "--disable-pip-version-check", "-c", str(HOME / "constraints.txt")]
    subprocess.run([folder / "bin/pip", "install", *options, wheel], check=True, capture_output=True, timeout=HANGS)
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(folder / "bin" / program), *arguments]
        return subprocess.run(command, cwd="/", env=surroundings, capture_output=True, encoding="utf-8", timeout=HANGS)

    return run


@pytest.fixture(scope="module")
def generator(python: Path, wheels: Wheels, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return installed(python, wheels.mapspore, tmp_path_factory.mktemp("generator"))


@pytest.fixture(scope="module")
def adapter(python: Path, wheels: Wheels, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return installed(python, wheels.torchspore, tmp_path_factory.mktemp("adapter"))


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def metadata(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return archive.read(name).decode("utf-8").splitlines()


def distributions(run: Run) -> set[str]:
    listed = run("pip", "list", "--format", "json", "--disable-pip-version-check")
    return {each["name"] for each in json.loads(listed.stdout)} - {"pip", "setuptools"}


def test_the_wheel_of_mapspore_holds_its_package_and_the_data(wheels: Wheels) -> None:
    held = names(wheels.mapspore)
    data = {
        f"mapspore/data/{path.relative_to(HOME).as_posix()}"
        for folder in ("mappings", "facts", "templates", "evidence", "adapter/torchspore")
        for path in (HOME / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert data <= held
    assert {"mapspore/cli/main.py", "mapspore/py.typed"} <= held
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == {"mapspore"}


def test_the_wheel_of_torchspore_holds_its_package_only(wheels: Wheels) -> None:
    held = names(wheels.torchspore)
    source = {
        path.relative_to(HOME / "adapter").as_posix()
        for path in (HOME / "adapter/torchspore").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in held if ".dist-info/" not in name} == source
    assert "torchspore/py.typed" in held
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in held)


def test_neither_wheel_needs_the_other(wheels: Wheels) -> None:
    needed = {
        wheel: [line for line in metadata(wheel) if line.startswith("Requires-Dist: ") and "extra ==" not in line]
        for wheel in wheels
    }
    assert needed[wheels.torchspore] == ["Requires-Dist: numpy<2"]
    assert not [line for line in needed[wheels.mapspore] if "torchspore" in line or "numpy" in line]


def test_both_have_one_version() -> None:
    declared = {tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["version"]
                for project in PROJECTS.values()}  # fmt: skip
    assert len(declared) == 1


def test_show_by_short_name(generator: Run) -> None:
    done = generator("mapspore", "show", "all_gather", "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("torch.distributed.all_gather\n")
    assert "mindspore.mint.distributed.all_gather" in done.stdout


def test_show_by_alias_as_json(generator: Run) -> None:
    done = generator("mapspore", "show", "dist.all_gather", "--lang", "zh", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["torch"] == "torch.distributed.all_gather"
    assert answer["verdict"] and answer["targets"][0]["parameters"]


def test_export_is_that_of_the_checkout(generator: Run) -> None:
    """The facts, the entries, the adapter's pure words and what evidence is bound to are all there."""
    done = generator("mapspore", "export", "json")
    here = subprocess.run(
        [sys.executable, "-m", "mapspore", "export", "json", "--root", HOME],
        capture_output=True, encoding="utf-8", timeout=HANGS, check=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == json.loads(here.stdout)


def test_scan_and_migrate(generator: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("import torch\n\nx = torch.arange(3)\nprint(torch.abs(x))\n", "utf-8")
    assert generator("mapspore", "scan", str(file)).returncode in (0, 1)
    done = generator("mapspore", "migrate", str(file))
    assert done.returncode == 0 and "+import torchspore as torch\n" in done.stdout


def test_check_of_what_is_installed(generator: Run) -> None:
    here = subprocess.run(
        [sys.executable, "-m", "mapspore", "check", "--root", HOME], capture_output=True, timeout=HANGS
    )
    assert generator("mapspore", "check").returncode == here.returncode


def test_version(generator: Run, wheels: Wheels) -> None:
    assert generator("mapspore", "--version").stdout == f"mapspore {wheels.mapspore.name.split('-')[1]}\n"


def test_mapspore_does_not_bring_the_adapter(generator: Run) -> None:
    assert "torchspore" not in distributions(generator)
    assert generator("python", "-c", "import torchspore").returncode == 1


def test_torchspore_brings_nothing_but_numpy(adapter: Run) -> None:
    assert distributions(adapter) == {"numpy", "torchspore"}


def test_the_adapter_without_mindspore_says_what_is_missing(adapter: Run) -> None:
    done = adapter("python", "-c", "import torchspore.distributed")
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert last.startswith("ImportError: ") and "MindSpore" in last and "pip install" in last


def test_the_launcher_helps_without_mindspore(adapter: Run) -> None:
    done = adapter("python", "-m", "torchspore.launch", "--help")
    assert (done.returncode, done.stderr) == (0, "") and "--nproc" in done.stdout
