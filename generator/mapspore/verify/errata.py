"""What the official tables call consistent and a run shows not to be. In: what was measured of one counterpart. Out: a
program that needs nothing but the two frameworks, made of the smallest case that it shows the difference in.

A program is kept only if it ends with exit code 1 when it is run, and not because of an error of its own. It judges
more roughly than `verify` does, so that what rounding could be is no erratum.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mapspore.evidence.errata import DIFFERENT_LINE
from mapspore.text.templates import environment
from mapspore.verify.measured import WAYS
from mapspore.verify.result import Finding
from mapspore.verify.script import direct_view

TRIED = 6
"""How many cases are tried; the smallest first, and of each way in which results are apart."""
SECONDS = 120


def erratum(findings: Sequence[Finding], versions: dict[str, str], platform: str) -> str | None:
    """The program that shows what was found of a counterpart, if one does."""
    apart = sorted((each for each in findings if each.kind in WAYS), key=lambda each: each.weight)
    for finding in apart[:TRIED]:
        text: str = (
            environment()
            .get_template("code/erratum.py.j2")
            .render(**direct_view(finding), versions=versions, platform=platform)
        )
        if shows(text):
            return text
    return None


def shows(text: str) -> bool:
    """Whether a program ends as one that has found a difference does."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "erratum.py"
        program.write_text(text, "utf-8")
        try:
            ended = subprocess.run(
                [sys.executable, str(program)], capture_output=True, text=True, timeout=SECONDS, cwd=folder, check=False
            )
        except subprocess.TimeoutExpired:
            return False
    return ended.returncode == 1 and ended.stdout.rstrip().endswith(f"\n{DIFFERENT_LINE}")
