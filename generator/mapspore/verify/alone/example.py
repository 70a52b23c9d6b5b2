"""The evidence of a migration. In: a case that names an example's two programs. Out: whether both print the same, each
run as it is, on as many ranks as it needs.
"""

from __future__ import annotations

from pathlib import Path

from mapspore.recorded.run import run_all
from mapspore.verify.alone.compare import DIFFERENT, EQUAL, Verdict
from mapspore.verify.alone.sides import AdapterSide, TorchSide
from mapspore.verify.alone.stated import Case


def of_example(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    before, after = (_printed(Path(f"{case['root']}/{case['example']}.{side}.py")) for side in ("before", "after"))
    if before and before == after:
        return Verdict(EQUAL), ""
    return Verdict(DIFFERENT, "\n".join([*before, "expected, got", *after])), ""


def _printed(program: Path) -> list[str]:
    """What a program prints; nothing if it fails."""
    return run_all({program.stem: program.read_text("utf-8")}).get(program.stem, [])
