"""What tests of the command line share: registries in a temporary folder, and `mapspore` in or out of process."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from many_entries import many, tree
from marks import pytest_ignore_collect, pytest_runtest_protocol
from processes import HANGS

__all__ = ["many", "pytest_ignore_collect", "pytest_runtest_protocol", "tree"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whoever runs the tests in the background has Ctrl-C ignored, and all processes that they start would have, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)

HOME = Path(__file__).resolve().parent.parent
MODELINE = "# yaml-language-server: $schema=../entry.schema.json\n"
ENTRY = (
    MODELINE
    + """torch: torch.abs
summary:
  en: The absolute value of each element.
  zh: 逐元素取绝对值。
targets:
  - mindspore: mindspore.mint.abs
"""
)


BUILDS = {"en": "mkdocs.yml", "zh": "mkdocs.zh.yml"}


class Result(NamedTuple):
    code: int
    out: str
    err: str


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The tally of the tests of hostile input; it stands here because only this file is loaded beside workers."""
    from tally import summary

    line = summary(terminalreporter.stats)
    if line:
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def _same_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test depends on the locale or the cache of whoever runs it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "MAPSPORE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the expected files anew; read the difference")


@pytest.fixture
def matches_file(pytestconfig: pytest.Config) -> Callable[[str, Path], None]:
    """Compares a text with the file that holds the expected one; with `--update` the file is written first."""

    def compare(text: str, expected: Path) -> None:
        if pytestconfig.getoption("update"):
            expected.parent.mkdir(exist_ok=True)
            expected.write_text(text, "utf-8")
        assert text == expected.read_text("utf-8")

    return compare


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in both languages, built as `make` does; once, whatever number of processes the tests run in."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = shared / "site", shared / "site-is-built"
    with open(shared / "site.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            build_site(HOME, folder)
            done.touch()
    return folder


def build_site(root: Path, folder: Path) -> None:
    """Both languages below a folder; what mkdocs says if it refuses."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    for name in ("MAPSPORE_SITE", "MAPSPORE_REPOSITORY"):
        environment.pop(name, None)
    builds = {
        language: subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", root / name, "-d", folder / language],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", env=environment,
        )
        for language, name in BUILDS.items()
    }  # fmt: skip
    for language, build in builds.items():
        output, _ = build.communicate(timeout=HANGS)
        assert build.returncode == 0, f"{language}:\n{output}"


@pytest.fixture(scope="session")
def without_entries(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Iterable[str]], Path]:
    """Makes a registry root of the entries of this project but those that answer for some names: what a test says of an
    API without an entry stays true once it has one."""

    def make(names: Iterable[str]) -> Path:
        from mapspore.pipeline import load_registry

        root = tmp_path_factory.mktemp("without")
        shutil.copytree(HOME / "mappings", root / "mappings")
        by_name = load_registry(root).registry.by_name
        for name in by_name.keys() & set(names):
            entry = root / by_name[name].source.path
            for file in entry.parent.glob(f"{entry.stem}.*"):
                file.unlink()
        return root

    return make


@pytest.fixture
def registry(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Makes a registry root out of contents by path; facts are the engine's."""

    def make(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "registry"
        (root / "mappings").mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return root

    return make


@pytest.fixture
def mapspore(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Runs a command inside this process."""

    def run(*arguments: object) -> Result:
        from mapspore.cli.main import main

        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return run


@pytest.fixture
def mapspore_process() -> Callable[..., Result]:
    """Runs a command as a process of its own, as people do."""

    def run(*arguments: object, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "mapspore", *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": str(HOME / "generator"), **(env or {})},
            cwd=cwd, capture_output=True, encoding="utf-8", timeout=HANGS,
        )  # fmt: skip
        return Result(done.returncode, done.stdout, done.stderr)

    return run
