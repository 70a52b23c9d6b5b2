"""Where output goes, and what a process that is ended leaves behind: H5, H21, H26."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import GOOD, HOME, MOVED, Ended

from processes import HANGS

pytestmark = pytest.mark.processes
Run = Callable[..., Any]
COMMANDS: dict[str, tuple[object, ...]] = {
    "export": ("export", "json", "--root", HOME),
    "scan": ("scan", "a.py", "--format", "json", "--no-cache", "--root", HOME),
}


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest, here: Path) -> tuple[object, ...]:
    (here / "a.py").write_text(GOOD, "utf-8")
    return COMMANDS[request.param]


def process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "mapspore", *map(str, arguments)]
    return subprocess.run(argv, capture_output=True, encoding="utf-8", timeout=HANGS, **options)


def test_h5_a_link_is_followed(command: tuple[object, ...], here: Path, mapspore: Run) -> None:
    real, link = here / "real.json", here / "link.json"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    mapspore(*command, "--output", link)
    assert link.is_symlink() and json.loads(real.read_text("utf-8"))
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    loose = here / "loose.json"
    loose.symlink_to(here / "made.json")
    mapspore(*command, "--output", loose)
    assert loose.is_symlink() and (here / "made.json").is_file()


def _received(handle: int, into: list[bytes]) -> None:
    try:
        while part := os.read(handle, 65536):
            into.append(part)
    except OSError:  # nobody writes to the terminal any more
        pass


def test_h5_a_pipe_is_written_to_and_stays(command: tuple[object, ...], here: Path) -> None:
    pipe = here / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)
    parts: list[bytes] = []
    holder = os.open(pipe, os.O_WRONLY)  # until the process is over, there is somebody who writes
    thread = threading.Thread(target=_received, args=(reader, parts))
    thread.start()
    done = process(*command, "--output", pipe)
    os.close(holder)
    thread.join()
    os.close(reader)
    assert done.returncode in (0, 1), done.stderr
    assert stat.S_ISFIFO(pipe.stat().st_mode) and json.loads(b"".join(parts))


def test_h5_a_device_is_written_to_and_stays(command: tuple[object, ...]) -> None:
    master, slave = os.openpty()
    name = os.ttyname(slave)
    parts: list[bytes] = []
    thread = threading.Thread(target=_received, args=(master, parts))
    thread.start()
    done = process(*command, "--output", name)
    mode = os.stat(name).st_mode
    os.close(slave)
    thread.join()
    os.close(master)
    assert done.returncode in (0, 1), done.stderr
    assert stat.S_ISCHR(mode) and b"".join(parts).startswith(b"{")


def test_h5_a_place_that_takes_nothing_is_a_refusal(here: Path) -> None:
    """A pipe whose reader goes away, which takes less than the text; no device of the machine is put at risk."""
    pipe = here / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=lambda: os.close(os.open(pipe, os.O_RDONLY)))
    thread.start()
    done = process(*COMMANDS["export"], "--output", pipe)
    thread.join()
    assert done.returncode == 2 and f"Cannot write to `{pipe}`: broken pipe." in done.stderr
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_h5_standard_output_by_its_name(command: tuple[object, ...], here: Path) -> None:
    """Through a link as `/dev/stdout` is one, which itself is not to be put at risk by a test."""
    (here / "stdout").symlink_to("/proc/self/fd/1")
    with open(here / "out", "w") as stream:
        stream.write("before\n")
        stream.flush()
        argv = [sys.executable, "-m", "mapspore", *map(str, command), "--output", "stdout"]
        subprocess.run(argv, stdout=stream, stderr=subprocess.DEVNULL, timeout=HANGS)
    head, _, rest = (here / "out").read_text("utf-8").partition("\n")
    assert head == "before" and json.loads(rest)
    assert (here / "stdout").is_symlink()


def _limit(kind: int, size: int) -> None:
    resource.setrlimit(kind, (size, size))


def test_h26_a_full_disk_does_not_cost_the_old_report(command: tuple[object, ...], here: Path) -> None:
    (here / "report.json").write_text("the old report")
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = process(*command, "--output", "report.json", env=env, preexec_fn=lambda: _limit(resource.RLIMIT_FSIZE, 200))
    assert done.returncode == 2 and "Cannot write to `report.json`: file too large." in done.stderr
    assert (here / "report.json").read_text() == "the old report"
    assert sorted(path.name for path in here.iterdir()) == ["a.py", "report.json"]


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob(".mapspore*"))


ENTRY = (HOME / "mappings" / "torch" / "abs.yaml").read_text("utf-8")


@pytest.mark.parametrize("sent", ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("function", ["fchmod", "replace"])
def test_h21_the_next_generate_removes_what_an_ended_one_left(
    function: str, sent: str, tmp_path: Path, registry: Callable[..., Path], mapspore: Run, ended: Ended
) -> None:
    root = registry({"mappings/torch/abs.yaml": ENTRY})
    assert mapspore("generate", "--root", root).code == 0
    assert not leftovers(root)
    (root / "mappings/entry.schema.json").unlink()
    (root / "adapter/torchspore/_abs.py").unlink()
    done = ended(function, 1, sent, root, "generate", "--root", root)
    assert (sent == "SIGKILL") is bool(leftovers(root)), done
    assert mapspore("generate", "--root", root).code == 0
    assert not leftovers(root) and (root / "adapter/torchspore/_abs.py").is_file()
    assert mapspore("generate", "--check", "--root", root).code == 0


@pytest.mark.parametrize("sent", ["SIGKILL", "SIGTERM"])
def test_h21_the_next_migrate_removes_what_an_ended_one_left(
    sent: str, here: Path, mapspore: Run, ended: Ended
) -> None:
    for name in ("a.py", "b.py"):
        (here / name).write_text(GOOD, "utf-8")
    done = ended("replace", 1, sent, here, "migrate", ".", "--write", "--root", HOME)
    assert (sent == "SIGKILL") is bool(leftovers(here)), done
    assert mapspore("migrate", ".", "--write", "--root", HOME).code == 0
    assert not leftovers(here)
    assert [(here / name).read_text("utf-8") for name in ("a.py", "b.py")] == [MOVED, MOVED]


def test_h21_what_a_living_process_stages_is_left_alone(tmp_path: Path) -> None:
    from mapspore.base.staging import PREFIX, Staging, sweep

    other = tmp_path / f"{PREFIX}mine"
    other.mkdir()
    (other / "notes.txt").write_text("somebody's own")
    with Staging() as staging:
        staging.write(tmp_path / "a", b"new")
        sweep(tmp_path)
        staging.place()
    assert (tmp_path / "a").read_bytes() == b"new"
    assert (other / "notes.txt").read_text() == "somebody's own"
    assert sorted(path.name for path in tmp_path.iterdir()) == [other.name, "a"]


def test_h26_a_relative_cache_folder_counts_as_none(
    here: Path, tmp_path: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (here / "a.py").write_text(GOOD, "utf-8")
    mapspore("scan", "a.py", "--root", HOME)
    assert [path.name for path in here.iterdir()] == ["a.py"]
    assert list((tmp_path / "home" / ".cache" / "mapspore").glob("*.scan"))


# Sends an interruption when something is opened for the first time after the command has refused its arguments.
_WHILE_IT_REFUSES = """
import os, signal, sys
from mapspore.base.diagnostics import Refusal
from mapspore.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
made = Refusal.__init__
def refusing(self, *arguments, **values):
    made(self, *arguments, **values)
    sent = []
    def opened(event, _):
        if event == "open" and not sent:
            sent.append(event)
            os.kill(os.getpid(), signal.SIGINT)
    sys.addaudithook(opened)
Refusal.__init__ = refusing
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "arguments", [["chekc"], ["show"], ["check", "--root", "nowhere"], ["scan", "a.py", "--site", "x"]]
)
def test_h21_an_interruption_while_a_refusal_is_told_is_one_sentence_too(arguments: list[str], here: Path) -> None:
    """Found by the random search."""
    (here / "a.py").write_text(GOOD, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", _WHILE_IT_REFUSES, *arguments], capture_output=True, encoding="utf-8", timeout=HANGS
    )
    assert (done.returncode, done.stderr) == (130, "interrupted.\n")
