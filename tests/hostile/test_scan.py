"""`scan`, `show`, `preview` with odd files, folders, names, settings, caches, baselines: H10, H12, H15, H18, H26."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import GOOD, HOME

from mapspore.migrate.run import MODES
from processes import HANGS

Run = Callable[..., Any]
FORMATS = ("text", "json", "sarif", "md", "html")
DEEP = 1500


def process(*arguments: object, memory: int = 4 * 2**30) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "mapspore", *map(str, arguments)]
    return subprocess.run(
        argv, capture_output=True, encoding="utf-8", timeout=HANGS,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
    )  # fmt: skip


def test_h10_a_result_belongs_to_the_bytes_it_is_kept_under(
    here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mapspore.scan import run

    file = here / "a.py"
    named = run.key
    other = GOOD + "dist.monitored_barrier()\n"

    def meanwhile(*parts: bytes) -> str:
        if parts[0] == GOOD.encode():
            file.write_text(other, "utf-8")
        return named(*parts)

    file.write_text(GOOD, "utf-8")
    monkeypatch.setattr(run, "key", meanwhile)
    mapspore("scan", "a.py", "--root", HOME)
    monkeypatch.undo()
    os.chdir(here)
    for text in (GOOD, other):
        file.write_text(text, "utf-8")
        kept = mapspore("scan", "a.py", "--root", HOME)
        assert kept == mapspore("scan", "a.py", "--no-cache", "--root", HOME)


@pytest.mark.parametrize(
    "program",
    [
        "import torch\ng = getattr(torch, 'abs')\nprint(g(torch.arange(-2, 1)))\n",
        "import torch\nt = torch\nprint(t.abs(torch.arange(-2, 1)))\n",
        "import torch\nimport importlib\nprint(importlib.import_module('torch').abs(torch.arange(-2, 1)), [torch])\n",
    ],
)
def test_h12_a_function_that_is_reached_by_another_way_keeps_its_neighbours(
    program: str, here: Path, mapspore: Run
) -> None:
    (here / "a.py").write_text(program, "utf-8")
    done = mapspore("migrate", "a.py", "--verbose", "--root", HOME)
    assert done.out == "" and "left `torch.arange`" in done.err


@pytest.mark.parametrize("mode", MODES)
def test_h12_what_a_text_names_stays_with_its_flow_and_is_named(mode: str, here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text("import torch\nprint(getattr(torch, 'abs')(torch.arange(-2, 1)))\n", "utf-8")
    done = mapspore("migrate", "a.py", "--mode", mode, "--root", HOME)
    assert done.out == "" and "  torch.abs (1 place): named by a text\n" in done.err


NAMES = [b"\xff\xfe.py", b"caf\xe9.py", b"\x1b[31m.py", b"line\nfeed.py", b"bell\x07.py", b'q"uote\\.py', b" .py"]


@pytest.mark.parametrize("name", NAMES)
def test_h15_any_file_name(name: bytes, here: Path, mapspore: Run, record_property: Callable[..., None]) -> None:
    path = os.path.join(os.fsencode(here), name)
    with open(path, "wb") as stream:
        stream.write(GOOD.encode() + b"dist.monitored_barrier()\n")
    for form in FORMATS:
        for cached in ((), ("--no-cache",)):
            done = mapspore("scan", ".", "--format", form, *cached, "--root", HOME)
            assert done.code == 1, done.err
            assert not done.err
    assert mapspore("migrate", ".", "--root", HOME).code == 0
    report = here / "base.json"
    assert mapspore("scan", ".", "--format", "json", "--output", report, "--root", HOME).code == 1
    known = mapspore("scan", ".", "--baseline", report, "--root", HOME)
    assert known.code == 0 and "1 in the baseline" in known.out
    record_property("inputs", 2 * len(FORMATS) + 3)


@pytest.mark.processes
def test_h15_the_diff_of_any_name_applies(here: Path, mapspore_process: Run) -> None:
    program = "import torch.distributed as dist\n\ndist.barrier()\n"
    for name in NAMES:
        with open(os.path.join(os.fsencode(here), name), "wb") as stream:
            stream.write(program.encode())
    argv = [sys.executable, "-m", "mapspore", "migrate", ".", "--root", str(HOME)]
    done = subprocess.run(argv, capture_output=True, timeout=HANGS)
    subprocess.run(["git", "apply", "-"], input=done.stdout, check=True, cwd=here)
    for name in NAMES:
        with open(os.path.join(os.fsencode(here), name), "rb") as stream:
            assert stream.read() == program.replace("torch.", "torchspore.").encode()


@pytest.mark.parametrize("wanted", ["\udcff", "\x1b[31m", "torch.\x00abs", "a" * 100_000, "%" * 60_000, "\ud800"])
def test_h15_h18_any_name_can_be_asked_for(wanted: str, mapspore: Run) -> None:
    done = mapspore("show", wanted, "--root", HOME)
    assert done.code == 1 and "is no name of an API" in done.err and "\x1b" not in done.err


@pytest.mark.parametrize("command", [("show", "torch.abs"), ("list",), ("check",), ("scan", "a.py")])
def test_h15_a_registry_with_any_file_name(
    command: tuple[str, ...], here: Path, registry: Callable[..., Path], mapspore: Run
) -> None:
    entry = (HOME / "mappings/torch/abs.yaml").read_text("utf-8")
    root = registry({"mappings/torch/abs.yaml": entry})
    with open(os.path.join(os.fsencode(root), b"mappings/torch/\xff.yaml"), "w") as stream:
        stream.write(entry.replace("torch.abs", "torch.cos"))
    (here / "a.py").write_text(GOOD, "utf-8")
    assert mapspore(*command, "--root", root).code in (0, 1)


def test_h15_a_page_with_a_name_that_is_no_text_is_sent() -> None:
    from mapspore.pages.preview.server import _Handler

    sent: list[bytes] = []

    class Handler(_Handler):
        def __init__(self) -> None: ...

        def _reply(self, content: bytes, kind: str, status: Any = None) -> None:
            sent.append(content)

    Handler()._send("torch.\udcff", "text/html")
    assert sent == [b"torch.\\udcff"]


@pytest.mark.parametrize("package", [False, True])
def test_h18_deep_folders(package: bool, here: Path, mapspore: Run) -> None:
    names = ["__init__.py"] if package else []
    for _ in range(DEEP):
        os.mkdir("d")
        os.chdir("d")
        for name in names:
            Path(name).touch()
    Path("a.py").write_text(GOOD, "utf-8")
    os.chdir(here)
    try:
        done = mapspore("scan", "d", "--no-cache", "--root", HOME)
        assert done.code == 0, done.err
        assert mapspore("migrate", "d", "--check", "--root", HOME).code == 1
    finally:
        os.unlink("d/" * DEEP + "a.py")
        for depth in range(DEEP, 0, -1):
            for name in names:
                os.unlink("d/" * depth + name)
            os.rmdir("d/" * depth)


SETTINGS = {
    "[tool.mapspore]\nscan = 3": "needs a table for `tool.mapspore.scan`.",
    "[tool.mapspore]\nscan = [1]": "needs a table for `tool.mapspore.scan`.",
    "[tool]\nmapspore = 'x'": "needs a table for `tool.mapspore`.",
    "tool = 1": "needs a table for `tool`.",
    "[tool.mapspore.scan]\nexclude = [1]": "needs a list of strings for `exclude`.",
    "[tool.mapspore.scan]\nsite = 3": "needs a string for `site`.",
    "x = " + "[" * 20_000 + "]" * 20_000: "is nested too deeply.",
    "x = '\udcff'": "is no TOML",
    '[tool.mapspore.scan]\n"\x7f" = 1': "is no TOML",
    '[tool.mapspore.scan]\n"\\u001b[31m" = 1': "has an unknown key",
}


@pytest.mark.parametrize("text", SETTINGS, ids=range(len(SETTINGS)))
def test_h18_odd_settings(text: str, here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text(GOOD, "utf-8")
    (here / "pyproject.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    for command in ("scan", "migrate"):
        done = mapspore(command, "a.py", "--root", HOME)
        assert done.code == 2 and SETTINGS[text] in done.err and "\x1b" not in done.err


BASELINES = {
    "nested": "[" * 100_000, "not one": "{}", "no list": '{"format": 1, "findings": 3}', "no text": "\udcff",
    "no objects": '{"format": 1, "findings": [1]}', "lists": '{"format": 1, "findings": [{"path": [], "code": 1}]}',
    "another format": '{"format": 99, "findings": []}', "null": "null", "a number": "1" * 5000,
}  # fmt: skip


@pytest.mark.parametrize("kind", BASELINES)
def test_h18_h26_odd_baselines(kind: str, here: Path, mapspore: Run) -> None:
    (here / "a.py").write_text(GOOD, "utf-8")
    (here / "base.json").write_bytes(BASELINES[kind].encode("utf-8", "surrogateescape"))
    done = mapspore("scan", "a.py", "--baseline", "base.json", "--root", HOME)
    assert done.code == 2, done.err
    said = "is a report of format 99; this version reads format 1." if kind == "another format" else "is no baseline."
    assert said in done.err


@pytest.mark.processes
@pytest.mark.parametrize("place", ["pipe", "/dev/zero", "folder", "loop", "none"])
def test_h18_a_baseline_that_is_no_file(place: str, here: Path) -> None:
    (here / "a.py").write_text(GOOD, "utf-8")
    os.mkfifo(here / "pipe")
    (here / "folder").mkdir()
    (here / "loop").symlink_to("loop")
    done = process("scan", "a.py", "--baseline", place, "--root", HOME)
    assert done.returncode == 2 and f"The baseline `{place}` cannot be read" in done.stderr


ROWS: list[Any] = [
    [], {}, "x", 3, None, [1, 2, 3], [[], [], [], {}, {}, [], [], False, 1], [[[1]], [], [], {}, {}, [], [], False],
    [[], [[1]], [], {}, {}, [], [], False], [[], [], [[1]], {}, {}, [], [], False], [1, 1, 1, 1, 1, 1, 1, 1],
    [[], [], [], [], [], [], [], []], [[], [], [], {}, {"a": 1}, [], [], False],
]  # fmt: skip


def test_h18_wrong_rows_in_the_cache(
    here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch, record_property: Callable[..., None]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    (here / "a.py").write_text(GOOD + "dist.monitored_barrier()\n", "utf-8")
    (here / "b.py").write_text("from a import dist\ndist.barrier()\n", "utf-8")
    first = mapspore("scan", ".", "--root", HOME)
    (store,) = (here / "cache").rglob("*.scan")
    for data in [*(json.dumps(row) for row in ROWS), "[" * 100_000, "", b"\xff", None, 7]:
        connection = sqlite3.connect(store)
        with connection:
            connection.execute("UPDATE results SET data = ?", (data,))
        connection.close()
        assert mapspore("scan", ".", "--root", HOME) == first
    for file in (here / "cache").rglob("*"):
        if file.suffix in (".rules", ".fingerprints", ".stamp"):
            for content in (b"", b"[]", b"{}", b"00000000 {}", b"[" * 100_000, b"\xff", b"x y z"):
                file.write_bytes(content)
                assert mapspore("scan", ".", "--root", HOME) == first
    record_property("inputs", len(ROWS) + 5 + 7)


@pytest.mark.processes
@pytest.mark.parametrize("kind", ["pipe", "nested", "no object", "device"])
@pytest.mark.parametrize("folder", ["facts", "evidence", "runs"])
def test_h18_facts_and_evidence_that_are_no_files(
    folder: str, kind: str, here: Path, registry: Callable[..., Path]
) -> None:
    root = registry({"mappings/torch/abs.yaml": (HOME / "mappings/torch/abs.yaml").read_text("utf-8")})
    file = root / ("facts/torch-2.13.0.json" if folder == "facts" else f"{folder}/torch/abs.json")
    file.parent.mkdir(parents=True)
    if folder == "facts":
        shutil.copy(HOME / "facts/mindspore-2.10.0.json", file.parent)
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    else:
        file.write_text("[" * 100_000 if kind == "nested" else "[1]")
    (here / "a.py").write_text(GOOD, "utf-8")
    for command in (("check",), ("show", "torch.abs"), ("scan", "a.py")):
        done = process(*command, "--root", root)
        assert done.returncode in (0, 1, 2), done.stderr
        assert "mapspore itself failed" not in done.stderr
        assert (folder == "facts") is ("facts" in done.stderr)


@pytest.mark.parametrize("port", ["99999", "-1", "65536"])
def test_h18_a_port_that_is_none(port: str, mapspore: Run) -> None:
    done = mapspore("preview", "--port", port, "--root", HOME)
    assert done.code == 2 and f"There is no port {port}." in done.err
