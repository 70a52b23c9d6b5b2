"""`migrate` rewrites all of a data flow or nothing: by which ways values pass, and which flows stay apart.

Each program has an API that never moves, `torch._softmax`, or another hindrance, and one that could move, `torch.abs`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HOME = Path(__file__).resolve().parents[2]
Run = Callable[..., Any]
MODES = ("adapter", "direct")
STAYS = "torch._softmax"

TOGETHER: dict[str, dict[str, str]] = {
    "one expression": {"a.py": "import torch\nprint(torch._softmax(torch.abs(x), 0, False))\n"},
    "a variable": {"a.py": "import torch\ny = torch.abs(x)\nz = y\nprint(torch._softmax(z, 0, False))\n"},
    "a function": {
        "a.py": "import torch\n\n\ndef f(x):\n    return torch.abs(x)\n\n\nprint(torch._softmax(f(1), 0, False))\n"
    },
    "a function that is defined later": {
        "a.py": "import torch\n\n\ndef f():\n    return torch._softmax(g(), 0, False)\n\n\n"
        "def g():\n    return torch.abs(1)\n"
    },
    "a function as a value": {
        "a.py": "import torch\n\n\ndef f(x):\n    return torch.abs(x)\n\n\n"
        "for each in [f, print]:\n    torch._softmax(each(1), 0, False)\n"
    },
    "a callback": {
        "a.py": "import torch\n\n\ndef apply(call, x):\n    return call(x)\n\n\n"
        "apply(lambda x: torch._softmax(x, 0, False), torch.abs(1))\n"
    },
    "a callback of Python": {
        "a.py": "import torch\n\nlist(map(lambda x: torch._softmax(x, 0, False), [torch.abs(1)]))\n"
    },
    "a global name": {
        "a.py": "import torch\n\n\ndef f():\n    global kept\n    kept = torch.abs(1)\n\n\n"
        "def g():\n    return torch._softmax(kept, 0, False)\n"
    },
    "a container": {
        "a.py": "import torch\n\nkept = {}\n\n\ndef f():\n    kept[1] = torch.abs(1)\n\n\n"
        "def g():\n    return torch._softmax(kept[1], 0, False)\n"
    },
    "an attribute of self": {
        "a.py": "import torch\n\n\nclass A:\n    def f(self):\n        self.x = torch.abs(1)\n\n"
        "    def g(self):\n        return torch._softmax(self.x, 0, False)\n"
    },
    "an attribute of an argument": {
        "a.py": "import torch\n\n\ndef f(a):\n    a.x = torch.abs(1)\n\n\ndef g(a):\n"
        "    return torch._softmax(a.x, 0, False)\n\n\ndef h(a):\n    f(a)\n    g(a)\n"
    },
    "a class and what derives from it": {
        "a.py": "import torch\n\n\nclass A:\n    def f(self):\n        return torch.abs(1)\n\n\nclass B(A):\n"
        "    def g(self):\n        return torch._softmax(self.f(), 0, False)\n"
    },
    "a generator": {
        "a.py": "import torch\n\n\ndef f():\n    yield torch.abs(1)\n\n\n"
        "for x in f():\n    torch._softmax(x, 0, False)\n"
    },
    "a comprehension": {"a.py": "import torch\n\n[torch._softmax(x, 0, False) for x in [torch.abs(1)]]\n"},
    "a default": {
        "a.py": "import torch\n\n\ndef f(x=torch.abs(1)):\n    return torch._softmax(x, 0, False)\n"
    },
    "a closure": {
        "a.py": "import torch\n\n\ndef f():\n    x = torch.abs(1)\n\n    def g():\n"
        "        return torch._softmax(x, 0, False)\n\n    return g\n"
    },
    "a decorator": {
        "a.py": "import torch\n\n\ndef soft(f):\n    return lambda *a: torch._softmax(f(*a), 0, False)\n\n\n"
        "@soft\ndef g(x):\n    return torch.abs(x)\n"
    },
    "a pattern": {
        "a.py": "import torch\n\nmatch [torch.abs(1)]:\n    case [x]:\n        torch._softmax(x, 0, False)\n"
    },
    "another file": {
        "a.py": "import torch\n\n\ndef f(x):\n    return torch.abs(x)\n",
        "b.py": "import torch\nfrom a import f\n\nprint(torch._softmax(f(1), 0, False))\n",
    },
    "another file, by its name": {
        "a.py": "import torch\n\nx = torch.abs(1)\n",
        "b.py": "import torch\nimport a as other\n\nprint(torch._softmax(other.x, 0, False))\n",
    },
    "a file that knows nothing of it": {
        "a.py": "import torch\nimport kept\n\nkept.values.append(torch.abs(1))\n",
        "b.py": "import torch\nfrom kept import values\n\nprint(torch._softmax(values[0], 0, False))\n",
        "kept.py": "values = []\n",
    },
    "a file that joins two": {
        "a.py": "import torch\n\n\ndef f():\n    return torch.abs(1)\n",
        "b.py": "import torch\n\n\ndef g(x):\n    return torch._softmax(x, 0, False)\n",
        "main.py": "from a import f\nfrom b import g\n\ng(f())\n",
    },
    "all names of a file": {
        "a.py": "import torch\n\nx = torch.abs(1)\n",
        "b.py": "import torch\nfrom a import *\n\nprint(torch._softmax(x, 0, False))\n",
    },
    "a notebook": {
        "a.py": "import torch\n\n\ndef f(x):\n    return torch.abs(x)\n",
        "b.ipynb": json.dumps({
            "cells": [{"cell_type": "code", "source": "import torch\nfrom a import f\nf(torch._softmax(1, 0, False))"}],
            "nbformat": 4,
        }),
    },
    "a mode": {
        "a.py": "import torch\n\nwith torch._mode_of_ours():\n    torch.abs(1)\n    torch._softmax(y, 0, False)\n"
    },
    "the state of random numbers": {
        "a.py": "import torch\n\ntorch.manual_seed(1)\n\n\ndef f(x):\n    return torch.abs(x)\n\n\n"
        "def g(x):\n    return torch._softmax(x, 0, False)\n"
    },
}  # fmt: skip

HELD: dict[str, tuple[str, str]] = {
    "einops": ("import torch\nimport einops\n\nprint(einops.rearrange(torch.abs(x), 'a b -> b a'))\n", "library"),
    "ours.models": ("import torch\nfrom ours.models import net\n\nprint(net(torch.abs(x)))\n", "library"),
    "torch.abs": ("import torch\n\ng = getattr(torch, 'abs')\ng(torch.abs(x))\n", "by_text"),
    "torch": ("import torch\n\nprint(vars(torch), torch.abs(x))\n", "escapes"),
    "eval": ("import torch\n\nprint(eval(text), torch.abs(x))\n", "runs_text"),
    "torch.Tensor.hash_tensor": ("import torch\n\nmodel(torch.abs(x)).hash_tensor()\n", "no_method"),
    "torch.Tensor.chalf": ("import torch\n\n\ndef f(model):\n    model(torch.abs(1)).chalf()\n", "no_method"),
    "torch.Tensor": ("import torch\n\nprint(isinstance(torch.abs(x), torch.Tensor))\n", "no_entry"),
    "torch.nn.Module": (
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.abs(x)\n",
        "no_entry",
    ),
}

HELD_WITHOUT_THE_ADAPTER: dict[str, str] = {
    "torch.Tensor.backward": "import torch\n\nmodel(torch.abs(x)).backward()\n",
    "torch.Tensor.detach_": "import torch\n\n\ndef f(model):\n    model(torch.abs(1)).detach_()\n",
}

APART: dict[str, str] = {
    "functions that exchange nothing": "import torch\n\n\ndef f(x):\n    return torch.abs(x)\n\n\n"
    "def g(x):\n    return torch._softmax(x, 0, False)\n\n\nprint(f(1))\nprint(g(2))\n",
    "functions that read one constant": "import torch\n\nSIZE = 3\nHALF = SIZE // 2\n\n\ndef f():\n"
    "    return torch.abs(HALF)\n\n\ndef g():\n    return torch._softmax(SIZE, 0, False)\n",
    "numbers of a tensor": "import torch\n\n\ndef f(x):\n    return torch.abs(x).item()\n\n\n"
    "def g(x):\n    return torch._softmax(x, 0, False)\n\n\ng(f(1))\n",
    "arguments of a library that knows nothing of it": "import torch\nimport numpy as np\n\n\ndef f():\n"
    "    return torch.abs(np.float32(1))\n\n\ndef g():\n    return torch._softmax(np.float32(2), 0, False)\n",
    "annotations": "import torch\n\n\ndef f(x: torch._Kind):\n    return torch.abs(x)\n",
}


def written(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")


def without_comments(file: Path) -> str:
    """A file without the lines that say what it would take to write a use anew."""
    lines = file.read_text("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("# mapspore["))


@pytest.fixture(scope="module")
def root(without_entries: Callable[[set[str]], Path]) -> Path:
    """The registry, without what holds a flow back because it has no entry."""
    return without_entries({name for name, (_, reason) in HELD.items() if reason in ("no_entry", "no_method")})


def account(mapspore: Run, root: Path, *options: object) -> tuple[Any, dict[str, Any]]:
    done = mapspore("migrate", ".", "--format", "json", "--no-cache", "--root", root, *options)
    assert done.code == 0, done.err
    return done, json.loads(done.out)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TOGETHER)
def test_a_flow_stays_as_a_whole(
    name: str, mode: str, mapspore: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(TOGETHER[name], tmp_path)
    monkeypatch.chdir(tmp_path)
    _, data = account(mapspore, root, "--mode", mode, "--write")
    assert {file: without_comments(tmp_path / file) for file in TOGETHER[name]} == TOGETHER[name]
    assert STAYS in {each["name"] for each in data["because"]} and data["files"]["ready"] == []
    assert {each["reason"] for each in data["left"] if each["torch"] == "torch.abs"} <= {"flow"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", HELD)
def test_what_holds_a_flow_back_is_named(
    name: str, mode: str, mapspore: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, reason = HELD[name]
    written({"a.py": text}, tmp_path)
    monkeypatch.chdir(tmp_path)
    _, data = account(mapspore, root, "--mode", mode, "--write")
    assert (tmp_path / "a.py").read_text("utf-8") == text
    library = name.partition(":")[0]
    assert (library, reason) in {(each["name"], each["reason"]) for each in data["because"]}


@pytest.mark.parametrize("name", HELD_WITHOUT_THE_ADAPTER)
def test_only_the_adapter_has_a_method(
    name: str, mapspore: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = HELD_WITHOUT_THE_ADAPTER[name]
    written({"a.py": text}, tmp_path)
    monkeypatch.chdir(tmp_path)
    _, data = account(mapspore, root, "--mode", "direct", "--write")
    assert (tmp_path / "a.py").read_text("utf-8") == text
    assert (name, "no_method") in {(each["name"], each["reason"]) for each in data["because"]}
    account(mapspore, root, "--mode", "adapter", "--write")
    assert (tmp_path / "a.py").read_text("utf-8") == text.replace("import torch", "import torchspore as torch")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", APART)
def test_flows_that_never_meet_are_judged_by_themselves(
    name: str, mode: str, mapspore: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written({"a.py": APART[name]}, tmp_path)
    monkeypatch.chdir(tmp_path)
    account(mapspore, root, "--mode", mode, "--write")
    made = (tmp_path / "a.py").read_text("utf-8")
    assert ("torchspore.abs(" if mode == "adapter" else "mindspore.mint.abs(") in made
    assert made.count("torch._") == APART[name].count("torch._")


def test_a_call_without_a_kernel_is_written_only_if_that_is_asked_for(
    mapspore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written({"a.py": "import torch\n\nprint(torch.arange(3))\n"}, tmp_path)
    monkeypatch.chdir(tmp_path)
    asked = ("migrate", "a.py", "--mode", "direct", "--root", HOME)
    assert "+print(mindspore.mint.arange(end=3))\n" in mapspore(*asked).out
    assert "+print(mindspore.ops.arange(" in mapspore(*asked, "--platform", "CPU").out
    assert "+print(mindspore.mint.arange(end=3))\n" in mapspore(*asked, "--platform", "CPU", "--without-kernels").out
    written({"a.py": "import torch\n\ntorch.distributed.all_gather_object(y, torch.abs(x))\n"}, tmp_path)
    name = "mindspore.mint.distributed.all_gather_object"
    assert f"+{name}(y, mindspore.mint.abs(x))\n" in mapspore(*asked).out
    refused = mapspore(*asked, "--platform", "CPU", "--verbose")
    assert refused.out == ""
    assert f"left `torch.distributed.all_gather_object`: `{name}` has no kernel on CPU.\n" in refused.err
    assert "left `torch.abs`: it is in one data flow with `torch.distributed.all_gather_object` (a.py:3)" in refused.err
    assert mapspore(*asked, "--platform", "CPU", "--without-kernels").out == mapspore(*asked).out


def test_direct_mode_tells_a_difference_once_in_a_file(
    mapspore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = "dist.all_reduce(x, group=g)\n"
    written({"a.py": f"import torch.distributed as dist\n\n{call * 300}"}, tmp_path)
    monkeypatch.chdir(tmp_path)
    done = mapspore("migrate", "a.py", "--mode", "direct", "--root", HOME)
    added = [line for line in done.out.splitlines() if line.startswith("+#")]
    assert len(added) == len({line.split(":")[0] for line in added}) == 1
    assert "  torch.distributed.all_reduce (300 places): no exact rewrite\n" in done.err


def test_mixing_has_to_be_asked_for_and_is_warned_of(
    mapspore: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written({"a.py": "import torch\nimport torch.nn as nn\n\nnn.Linear(2, 2)(torch._softmax(x, 0, False))\n"}, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert mapspore("migrate", "a.py", "--root", HOME).out == ""
    mixed = mapspore("migrate", "a.py", "--mix-frameworks", "--root", HOME)
    assert "+import torchspore.nn as nn\n" in mixed.out and mixed.err.startswith("warning: with --mix-frameworks")


def test_programs_and_files_that_can_run_are_counted_with_what_they_import(
    mapspore: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = (
        "import torch\n\n\ndef f(x):\n    return torch.abs(x)\n",
        "import torch\n\ntorch._softmax(y, 0, False)\n",
    )
    files = {"one.py": good, "two.py": bad, "main1.py": "import one\n", "main2.py": "import one\nimport two\n"}
    written(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    _, data = account(mapspore, root)
    assert data["files"] == {"total": 2, "ready": ["one.py"]}
    assert data["programs"] == {"total": 2, "ready": ["main1.py"]}
