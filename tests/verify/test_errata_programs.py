"""Programs of errata say what they were kept for: each that is drawn ends with exit code 1, and none is kept that ends
otherwise."""

from __future__ import annotations

import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

from mapspore.evidence.errata import FOLDER
from mapspore.verify.compare import DIFFERENT, VALUE
from mapspore.verify.errata import erratum, shows
from mapspore.verify.result import Finding

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "evidence" / FOLDER).iterdir(), key=lambda file: blake2b(file.name.encode()).hexdigest())
DRAWN = 4
VERSIONS = {"torch": "2.13.0", "mindspore": "2.10.0"}


def finding(kind: str, function: str, mindspore: str) -> Finding:
    tensor = {"$tensor": {"name": "input", "shape": [3, 4], "dtype": "float32"}}
    direct = {"api": mindspore, "passed": {"input": "input"}, "fixed": {}, "positional": ["input"], "variadic": None,
              "picked": None}  # fmt: skip
    call = {"api": function, "args": [tensor], "kwargs": {}}
    case = {"id": "made/beside", "kind": "value", "calls": [call], "given": {"input": tensor}, "direct": direct,
            "state": {}}  # fmt: skip
    return Finding(function, case, 1, "mint", kind)


@pytest.mark.parametrize("file", FILES[:DRAWN], ids=lambda file: file.stem)
def test_a_program_shows_the_difference(file: Path) -> None:
    ended = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 1 and ended.stdout.rstrip().endswith("different"), ended.stderr
    assert "PyTorch: " in ended.stdout and "MindSpore: " in ended.stdout


def test_a_program_is_kept_if_it_shows_a_difference() -> None:
    made = erratum([finding(VALUE, "torch.abs", "mindspore.mint.exp")], VERSIONS, "CPU")
    assert made is not None and "torch.abs(t['input'])" in made and "mindspore.mint.exp(t['input'])" in made


def test_a_program_is_not_kept_if_both_give_the_same() -> None:
    assert erratum([finding(VALUE, "torch.abs", "mindspore.mint.abs")], VERSIONS, "CPU") is None


def test_what_was_not_apart_is_not_tried() -> None:
    assert erratum([finding(DIFFERENT, "torch.abs", "mindspore.mint.exp")], VERSIONS, "CPU") is None


@pytest.mark.parametrize("text", ["raise SystemExit(1)", "1/0", "print('a\\ndifferent')"])
def test_a_program_that_fails_by_itself_shows_nothing(text: str) -> None:
    assert not shows(text)
