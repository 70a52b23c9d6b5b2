"""Files that cannot be understood, notebooks and standard input: one finding each, and the scan goes on."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HOME = Path(__file__).resolve().parents[2]
Run = Callable[..., Any]
GOOD = "import torch.distributed as dist\n\ndist.monitored_barrier()\n"


def found(mapspore: Run, *paths: object, options: tuple[object, ...] = ()) -> list[tuple[str, int, int, str]]:
    """Place and code of what counts."""
    result = mapspore("scan", *paths, "--format", "json", "--root", HOME, *options)
    findings = json.loads(result.out)["findings"]
    assert result.code == int(any(f["counts"] for f in findings)) and result.err == ""
    return [(f["path"], f["line"], f["column"], f["code"]) for f in findings if f["counts"]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "good.py").write_text(GOOD, "utf-8")
    return folder


FINE = ("good.py", 3, 1, "S113")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.py", b"import torch\ndef f(:\n", ("a.py", 2, 7, "S001")),
        ("a.py", b"import torch\nprint 'two'\n", ("a.py", 2, 1, "S001")),
        ("a.py", b"import torch\nx = '\xff'\n", ("a.py", 2, 6, "S002")),
        ("a.py", b"# torch\n\0", ("a.py", 1, 1, "S001")),
        ("a.py", b"import torch\nx = " + b"(" * 5000 + b")" * 5000 + b"\n", ("a.py", 0, 0, "S001")),
        ("a.py", b"import torch\nx = " + b"-" * 100_000 + b"1\n", ("a.py", 1, 1, "S001")),
        ("a.py", b"#" * (4 * 1024 * 1024 + 1), ("a.py", 1, 1, "S003")),
        ("a.ipynb", b"torch", ("a.ipynb", 1, 1, "S006")),
        ("a.ipynb", b'{"cells": 3, "x": "torch"}', ("a.ipynb", 1, 1, "S006")),
    ],
    ids=["syntax", "python-2", "latin", "nul", "brackets", "deep", "huge", "no-json", "no-cells"],
)
def test_a_file_that_cannot_be_understood_gives_one_finding(
    here: Path, mapspore: Run, name: str, content: bytes, expected: tuple[str, int, int, str]
) -> None:
    (here / name).write_bytes(content)
    first, second = found(mapspore, ".")
    if not expected[1]:  # where a parser gives up differs from version to version
        first = (first[0], 0, 0, first[3])
    assert (first, second) == (expected, FINE)


def test_links_that_lead_nowhere_or_back(here: Path, mapspore: Run) -> None:
    (here / "gone.py").symlink_to("nowhere.py")
    (here / "self.py").symlink_to("self.py")
    (here / "sub").mkdir()
    (here / "sub" / "up").symlink_to(here, target_is_directory=True)
    (here / "twice").symlink_to(here / "sub", target_is_directory=True)
    assert found(mapspore, ".") == [
        ("gone.py", 1, 1, "S005"), FINE, ("self.py", 1, 1, "S004"), ("sub/up", 1, 1, "S004"),
    ]  # fmt: skip


def test_what_may_not_be_read_and_what_is_no_file(here: Path, mapspore: Run) -> None:
    os.mkfifo(here / "pipe.py")
    (here / "denied.py").write_text(GOOD, "utf-8")
    (here / "denied.py").chmod(0)
    expected = [FINE, ("pipe.py", 1, 1, "S005")]
    if os.geteuid():  # everything may be read by root
        expected.insert(0, ("denied.py", 1, 1, "S005"))
    else:
        expected.insert(0, ("denied.py", 3, 1, "S113"))
    assert found(mapspore, ".") == expected


def test_environments_caches_and_hidden_folders_are_left_out(here: Path, mapspore: Run) -> None:
    for name in (".git", "__pycache__", "env"):
        (here / name).mkdir()
        (here / name / "x.py").write_text(GOOD, "utf-8")
    (here / "env" / "pyvenv.cfg").touch()
    assert found(mapspore, ".") == [FINE]
    assert found(mapspore, ".", options=("--exclude", "good.*")) == []


@pytest.mark.processes
def test_a_byte_order_mark_and_windows_lines_are_no_problem(here: Path, mapspore: Run) -> None:
    text = GOOD.replace("\n", "\r\n").encode("utf-8-sig")
    (here / "good.py").write_bytes(text)
    assert found(mapspore, ".") == [FINE]
    (here / "good.py").write_bytes(text.replace(b"monitored_barrier", b"barrier"))
    assert mapspore("migrate", ".", "--write", "--root", HOME).code == 0
    assert (here / "good.py").read_bytes() == text.replace(b"monitored_barrier", b"barrier").replace(
        b"torch.", b"torchspore."
    )


def test_a_carriage_return_by_itself_ends_a_line(here: Path, mapspore: Run) -> None:
    (here / "good.py").write_bytes(GOOD.replace("\n", "\r").encode())
    assert found(mapspore, ".") == [FINE]


def test_a_file_that_libcst_would_change_elsewhere_is_left_alone(here: Path, mapspore: Run) -> None:
    text = b"import torch.distributed as dist\n\n\ndef wait():\n\x0c    dist.barrier()\n    return 1\n"
    (here / "good.py").write_bytes(text)
    result = mapspore("migrate", ".", "--write", "--root", HOME)
    assert result.code == 0 and (here / "good.py").read_bytes() == text
    assert "torch.distributed.barrier (2 places): a file that a rewrite would damage\n" in result.err
    told = mapspore("migrate", ".", "--write", "--verbose", "--root", HOME).err
    assert "or would touch other bytes of the file" in told


def test_standard_input(here: Path, mapspore: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert found(mapspore, "-") == [("-", 3, 1, "S113")]


def cell(*lines: str, kind: str = "code") -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": [f"{line}\n" for line in lines]}


def test_a_notebook_is_one_module_and_places_name_the_cell(here: Path, mapspore: Run) -> None:
    cells = [
        cell("# torch", kind="markdown"),
        cell("%matplotlib inline", "!pip install torch", "import torch.distributed as dist"),
        cell("this is no Python"),
        cell("", "if True:", "    !ls", "    dist.monitored_barrier()", "dist?"),
        cell("%%bash", "dist.monitored_barrier()"),
    ]
    (here / "good.py").unlink()
    (here / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}), "utf-8")
    result = mapspore("scan", ".", "--root", HOME)
    places = [line.split(" ")[0:2] for line in result.out.splitlines() if line.startswith("n.ipynb")]
    assert places == [["n.ipynb#3:1:12:", "S001"], ["n.ipynb#4:4:5:", "S113"]]
    before = (here / "n.ipynb").read_bytes()
    left = mapspore("migrate", ".", "--write", "--root", HOME)
    assert "notebooks are scanned, not rewritten" in left.err and (here / "n.ipynb").read_bytes() == before


def test_python_of_a_notebook_is_not_taken_for_its_shell(here: Path, mapspore: Run) -> None:
    cells = [
        cell("%%time", "import torch.distributed as dist"),
        cell("dist.monitored_barrier()  # why?"),
        cell("%cd data", "rest = (size", "        % dist.monitored_barrier())"),
        cell("names = !ls", "dist.monitored_barrier()", "?dist", "await dist.monitored_barrier()"),
        cell("text = '''", "why?", "!", "'''", "dist.monitored_barrier()"),
        cell("%%html", "dist.monitored_barrier()"),
    ]
    (here / "good.py").unlink()
    (here / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}), "utf-8")
    result = mapspore("scan", ".", "--root", HOME)
    places = [line.split(" ")[0] for line in result.out.splitlines() if line.startswith("n.ipynb")]
    assert places == [f"n.ipynb#{place}:" for place in ("2:1:1", "3:3:11", "4:2:1", "4:4:7", "5:5:1")]


def test_a_path_that_is_not_there_is_wrong_usage(here: Path, mapspore: Run) -> None:
    result = mapspore("scan", "nowhere", "--root", HOME)
    assert (result.code, result.err) == (
        2, "error[C104] There is no file or folder `nowhere`.\n  hint: Paths are relative to where you are.\n",
    )  # fmt: skip
