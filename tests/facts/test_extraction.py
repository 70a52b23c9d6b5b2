"""Extraction from the real packages: the committed snapshots, byte for byte, and what refuses to be extracted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mapspore.base.diagnostics import Refusal
from mapspore.text.phrases import said
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

ROOT = Path(__file__).resolve().parents[2]
WRITE = (
    "import sys; from mapspore.facts.extract.extract import extract; "
    "sys.stdout.reconfigure(encoding='utf-8', newline='\\n'); sys.stdout.write(extract(sys.argv[1]))"
)
REFUSED = """
import json, sys
from mapspore.base.diagnostics import Refusal
from mapspore.facts.extract.extract import extract
try:
    extract(sys.argv[1])
except Refusal as refusal:
    print(json.dumps([refusal.code, refusal.variant, refusal.hint, refusal.values]))
"""


def run(program: str, argument: str, *options: str, **environment: str) -> str:
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT / "generator"), "PYTHONIOENCODING": "utf-8", **environment}
    done = subprocess.run(
        [sys.executable, *options, "-c", program, argument],
        env=surroundings, capture_output=True, encoding="utf-8", timeout=HANGS, check=True,
    )  # fmt: skip
    return done.stdout


def refused(framework: str, *options: str, **environment: str) -> str:
    """What is said when facts are not extracted. The sentences are looked up here: that takes installed packages."""
    code, variant, hint, values = json.loads(run(REFUSED, framework, *options, **environment))
    refusal = Refusal(code, variant, hint=hint, **values)
    return "|".join((*said(refusal, "en"), *said(refusal, "zh")))


@pytest.mark.parametrize(
    ("seed", "zone", "locale"), [("0", "UTC", "C"), ("4711", "Asia/Shanghai", "C.UTF-8")], ids=["0", "4711"]
)
@pytest.mark.parametrize("name", ["torch-2.13.0", "mindspore-2.10.0"])
def test_the_committed_snapshot_is_what_the_package_says(name: str, seed: str, zone: str, locale: str) -> None:
    framework = name.partition("-")[0]
    text = run(WRITE, framework, PYTHONHASHSEED=seed, TZ=zone, LC_ALL=locale)
    committed = (ROOT / "facts" / f"{name}.json").read_text(encoding="utf-8")
    different = [(old, new) for old, new in zip(committed.splitlines(), text.splitlines(), strict=False) if old != new]
    hint = f"run `mapspore facts extract {framework}`"
    assert not different, f"{hint}; first difference:\n{different[0][0]}\n{different[0][1]}"
    assert text == committed, hint


def test_a_package_that_is_not_installed_is_refused() -> None:
    # -S leaves out the folder of installed packages.
    assert refused("torch", "-S") == (
        "torch is not installed in this environment."
        "|Install mapspore with the `verify` extra: `pip install 'mapspore[verify]'`."
        "|当前环境没有安装 torch。|请安装附加依赖：`pip install 'mapspore[verify]'`。"
    )


def test_a_version_that_is_too_old_is_refused(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise AssertionError('imported')", encoding="utf-8")
    (tmp_path / "torch-1.13.1.dist-info").mkdir()
    (tmp_path / "torch-1.13.1.dist-info" / "METADATA").write_text("Name: torch\nVersion: 1.13.1\n", encoding="utf-8")
    text = refused("torch", "-S", PYTHONPATH=f"{ROOT / 'generator'}{os.pathsep}{tmp_path}")
    assert text.startswith("Facts cannot be extracted from torch 1.13.1.|Supported is 2.7 <= version < 3.0.|")


def test_another_framework_is_refused() -> None:
    assert refused("jax").startswith(
        "There are no facts about `jax`.|Choose `torch` or `mindspore`.|没有关于 `jax` 的快照。|"
    )
