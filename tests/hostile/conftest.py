"""Fixtures of the tests of hostile input: a folder to work in, a git repository in it, and processes that are ended at
an exact moment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import GOOD, Ended, Git

from processes import HANGS

sys.path.append(str(Path(__file__).parents[1] / "torchspore"))  # the harness of ranks


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    return folder


@pytest.fixture
def git(here: Path) -> Git:
    """Runs git in the folder, as somebody."""

    def run(*arguments: str) -> str:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        done = subprocess.run(["git", *who, *arguments], cwd=here, check=True, capture_output=True, encoding="utf-8")
        return done.stdout

    return run


@pytest.fixture
def committed(here: Path, git: Git) -> Callable[[int], list[Path]]:
    """Makes a repository with files that can be migrated, all committed."""

    def make(count: int = 1) -> list[Path]:
        files = [here / f"m{number}.py" for number in range(count)]
        for file in files:
            file.write_text(GOOD, "utf-8")
        git("init", "-q")
        git("add", ".")
        git("commit", "-qm", "start")
        return files

    return make


# Sends a signal to itself when a function of `os` is called for the n-th time for something below a folder.
_AT_A_MOMENT = """
import os, signal, sys
from mapspore.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may have them ignored
signal.signal(signal.SIGHUP, signal.SIG_DFL)
name, count, sent, folder = sys.argv[1], int(sys.argv[2]), getattr(signal, sys.argv[3]), sys.argv[4]
original, calls = getattr(os, name), 0
def sending(*arguments, **options):
    global calls
    first = arguments[0]
    calls += (os.readlink(f"/proc/self/fd/{first}") if isinstance(first, int) else str(first)).startswith(folder)
    if calls == count:
        os.kill(os.getpid(), sent)
    return original(*arguments, **options)
setattr(os, name, sending)
sys.exit(main(sys.argv[5:]))
"""


@pytest.fixture
def ended() -> Ended:
    """Runs a command in a process that gets a signal at the n-th call of a function of `os` for a folder."""

    def run(function: str, count: int, sent: str, folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", _AT_A_MOMENT, function, str(count), sent, str(folder), *map(str, arguments)],
            capture_output=True, encoding="utf-8", timeout=HANGS,
        )  # fmt: skip

    return run
